// Exact chances: fractions of whole numbers of any size, looked up in what the build worked out.
const Chances = (() => {
  "use strict";

  function divisor(a, b) {
    while (b) [a, b] = [b, a % b];
    return a;
  }

  class Fraction {
    constructor(numerator, denominator) {
      const shared = divisor(numerator < 0n ? -numerator : numerator, denominator) || 1n;
      this.numerator = numerator / shared;
      this.denominator = denominator / shared;
    }

    minus(other) {
      return new Fraction(
        this.numerator * other.denominator - other.numerator * this.denominator,
        this.denominator * other.denominator,
      );
    }

    toString() {
      return this.denominator === 1n ? `${this.numerator}` : `${this.numerator}/${this.denominator}`;
    }

    // As a share of another, from 0 to 1, for the length of a bar.
    over(other) {
      const scaled = this.numerator * other.denominator * 10000n;
      return other.numerator ? Number(scaled / (this.denominator * other.numerator)) / 10000 : 0;
    }
  }

  const ZERO = new Fraction(0n, 1n);
  const ONE = new Fraction(1n, 1n);

  // Rounded half up; what is possible is never 0%, and what is not certain never 100%.
  function percent(chance, places = 2) {
    const unit = 10n ** BigInt(places);
    const scaled = chance.numerator * 100n * unit;
    const figure = (2n * scaled + chance.denominator) / (2n * chance.denominator);
    if (figure === 0n && chance.numerator > 0n) return `<${decimal(1n, places)}%`;
    if (figure === 100n * unit && chance.numerator < chance.denominator) return `>${decimal(100n * unit - 1n, places)}%`;
    return `${decimal(figure, places)}%`;
  }

  function decimal(units, places) {
    const digits = units.toString().padStart(places + 1, "0");
    return places ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits;
  }

  // A roll of the build: the chance of an outcome or more, and of an outcome.
  class Roll {
    constructor(data) {
      this.low = data.low;
      this.high = data.low + data.at_least.length - 1;
      this.denominator = BigInt(data.denominator);
      this.weights = data.at_least.map(BigInt);
      [this.exactLow, this.exactHigh] = data.exact;
    }

    weightAtLeast(outcome) {
      if (outcome < this.low) return this.denominator;
      return outcome > this.high ? 0n : this.weights[outcome - this.low];
    }

    atLeast(outcome) {
      return new Fraction(this.weightAtLeast(outcome), this.denominator);
    }

    between(low, high) {
      const from = low === null ? this.denominator : this.weightAtLeast(low);
      const above = high === null ? 0n : this.weightAtLeast(high + 1);
      return new Fraction(from - above, this.denominator);
    }

    exactly(outcome) {
      return this.between(outcome, outcome);
    }

    // The chance of an outcome from `least` on that is more than another roll comes to with so much added.
    beatsFrom(least, other, ahead) {
      let won = 0n;
      for (let outcome = Math.max(least, this.low); outcome <= this.high; outcome += 1) {
        const weight = this.weightAtLeast(outcome) - this.weightAtLeast(outcome + 1);
        won += weight * (other.denominator - other.weightAtLeast(outcome - ahead));
      }
      return new Fraction(won, this.denominator * other.denominator);
    }

    isExact(outcome) {
      return (this.exactLow === null || outcome >= this.exactLow) && (this.exactHigh === null || outcome <= this.exactHigh);
    }
  }

  return { Fraction, ONE, Roll, ZERO, percent };
})();
