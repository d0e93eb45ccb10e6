// Keeps the site for times without a network. From a disk it is there anyway.
(() => {
  "use strict";
  if (!("serviceWorker" in navigator) || !location.protocol.startsWith("http")) return;
  const worker = new URL("../../service-worker.js", document.currentScript.src);
  addEventListener("load", () => {
    navigator.serviceWorker.register(worker).catch(() => {}); // a host may forbid it: the site works without
  });
})();
