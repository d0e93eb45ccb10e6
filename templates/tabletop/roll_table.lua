-- Rolls on a table in Tabletop Simulator. `label`, and `rows` with their weights, stand above.

local total = 0
for _, row in ipairs(rows) do
  total = total + row.weight
end

function onLoad()
  self.addContextMenuItem(label, roll)
end

function roll()
  local number = math.random(total)
  for _, row in ipairs(rows) do
    number = number - row.weight
    if number <= 0 then
      broadcastToAll(self.getName() .. " (" .. row.results .. "): " .. row.text, {1, 1, 1})
      return
    end
  end
end
