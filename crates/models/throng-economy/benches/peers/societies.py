"""Simulates a society that extracts and barters in plain Python, by the rules of Throng's model: see README.md."""

import argparse
import copy
import math
import pathlib
import random
import statistics
import sys
import time
import tomllib

WORD = 0xFFFF_FFFF
LONG_WORD = 0xFFFF_FFFF_FFFF_FFFF

# Purposes of draws, as in Throng.
EXTRACTED, PARTNERS, CONSUMED = 1 << 16, 2 << 16, 3 << 16

MAX_UNITS_IN_TABLE = 1 << 16

DEFAULTS = {
    "model": "societies",
    "seed": 1,
    "days": 200,
    "agents": 24,
    "resources": 24,
    "trade": True,
    "devices": "tools",
    "trade_powers": [1],
    "removals": [],
    "economy": {"utility_of_first": 600.0, "elasticity": 2.5, "least_utility": 1.0, "unit_lifetime_days": 5.0},
    "work": {
        "day_min": 600.0,
        "most_effort_min": 9.0,
        "least_effort_min": 3.0,
        "full_experience": 600,
        "forgotten_per_day": 3.0,
        "tolerance": 0.0,
    },
    "market": {"rounds": 12, "attempts": 8, "menu_size": 6, "least_surplus": 0.1},
}
# Keys of scenarios that do not affect a society without devices, or only the files of a run.
WITHOUT_EFFECT = {
    *("folder", "overwrite", "frame_every", "trade_list", "agents_every", "stock_every"),
    *("invention", "invention_speeds", "device_market", "assembly", "device"),
}


def total(numbers):
    """Adds from the first to the last number; `sum` of Python 3.12 and later rounds differently."""
    result = 0.0
    for number in numbers:
        result += number
    return result


def power(base, exponent):
    """A power by repeated multiplication, which every machine rounds in the same way."""
    product = base
    for _ in range(exponent - 1):
        product *= base
    return product


class PhiloxDraws:
    """Throng's draws: Philox4x32-10 with the counter (agent, day, purpose, index)."""

    def __init__(self, seed):
        low, high = seed & WORD, seed >> 32
        self.keys = [((low + i * 0x9E3779B9) & WORD, (high + i * 0xBB67AE85) & WORD) for i in range(10)]

    def block(self, agent, day, purpose, index):
        c0, c1, c2, c3 = agent, day, purpose, index
        for low, high in self.keys:
            product, other = 0xD2511F53 * c0, 0xCD9E8D57 * c2
            c0, c1, c2, c3 = (other >> 32) ^ c1 ^ low, other & WORD, (product >> 32) ^ c3 ^ high, product & WORD
        return c0, c1, c2, c3

    def below(self, n, agent, day, index):
        """An integer below n (Lemire, 2019)."""
        first, second, third, fourth = self.block(agent, day, EXTRACTED, index)
        product = (first << 32 | second) * n
        if product & LONG_WORD < (1 << 64) % n:
            product = (third << 32 | fourth) * n
        return product >> 64

    def order(self, agents, day, market_round):
        """A random order of the agents, by their keys."""
        return sorted(range(agents), key=lambda agent: self.block(0, day, PARTNERS | market_round, agent)[:2])

    def consumed(self, units, consumed_words, agent, day, resource):
        """How many of these units are consumed. A unit is consumed if its word is one of the lowest."""
        last = max(consumed_words - 1, 0)
        consumed = 0
        for first in range(0, units, 4):
            words = self.block(agent, day, CONSUMED | resource, first // 4)
            consumed += sum(word <= last for word in words[: units - first])
        return consumed


class PythonDraws:
    """The same draws from Python's generator, which is written in C: another society, simulated faster."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def below(self, n, agent, day, index):
        return self.random.randrange(n)

    def order(self, agents, day, market_round):
        return self.random.sample(range(agents), agents)

    def consumed(self, units, consumed_words, agent, day, resource):
        draw, probability = self.random.random, consumed_words / 2**32
        return sum(draw() < probability for _ in range(units))


class Curves:
    """Utility by units held, and minutes per unit by whole units of experience, as tables.

    Throng computes powers and exponentials by functions of its own, which round some values differently: utilities
    differ in their last digit.
    """

    def __init__(self, economy, work):
        first, inverse = economy["utility_of_first"], 1.0 / economy["elasticity"]
        least_utility = economy["least_utility"]
        self.of_units, self.of_next = [0.0], []
        for units in range(1, MAX_UNITS_IN_TABLE + 1):
            utility = first * math.pow(units, inverse)
            of_next = utility - self.of_units[-1]
            if of_next <= least_utility:
                break
            self.of_units.append(utility)
            self.of_next.append(of_next)
        is_complete = len(self.of_next) < MAX_UNITS_IN_TABLE
        self.of_next.append(least_utility if is_complete else self.of_next[-1])
        self.inverse_of_next = [1.0 / of_next for of_next in self.of_next]
        most, least, full = work["most_effort_min"], work["least_effort_min"], work["full_experience"]
        shift, slope = 2.0 * math.sqrt(most), most - least
        self.effort = [most - (most - least) * math.exp(-shift * math.exp(-slope * e / full)) for e in range(full)]
        self.effort.append(least)

    def utility(self, units):
        last = len(self.of_units) - 1
        if units <= last:
            return self.of_units[units]
        return self.of_units[last] + self.of_next[-1] * (units - last)

    def next(self, held):
        """Utility of one more unit."""
        return self.of_next[held] if held < len(self.of_next) else self.of_next[-1]

    def inverse_of(self, held):
        """Inverse of the utility of one more unit."""
        return self.inverse_of_next[held] if held < len(self.inverse_of_next) else self.inverse_of_next[-1]

    def minutes(self, experience):
        """Minutes for a unit."""
        return self.effort[min(int(experience), len(self.effort) - 1)]


class Agent:
    def __init__(self, resources, power_in_trade, curves):
        self.held = [0] * resources
        self.experience = [0.0] * resources
        # Value of the next unit of each resource, for menus: updated in trades and in the evening.
        self.valued = [curves.next(0)] * resources
        self.extracted = [0] * resources
        self.power = power_in_trade

    def set_held(self, resource, units, curves):
        self.held[resource] = units
        self.valued[resource] = curves.next(units)


class Society:
    def __init__(self, scenario, draws):
        self.scenario, self.draws = scenario, draws
        self.curves = Curves(scenario["economy"], scenario["work"])
        powers = scenario["trade_powers"]
        self.agents = [
            Agent(scenario["resources"], powers[number % len(powers)], self.curves)
            for number in range(scenario["agents"])
        ]
        self.day = self.traded = 0
        self.utilities_of_days = []

    def simulate_day(self):
        self.day += 1
        self.traded = 0
        self.hold_market(0)
        for number, agent in enumerate(self.agents):
            self.extract(number, agent)
        self.hold_market(1)
        for agent in self.agents:
            agent.valued = [self.curves.next(held) for held in agent.held]
        measures = self.measures()
        self.consume()
        return measures

    def extract(self, number, agent):
        """Unit by unit, the agent takes the resource that adds most utility per minute."""
        work, curves = self.scenario["work"], self.curves
        held, experience = agent.held, agent.experience
        minutes = [curves.minutes(e) for e in experience]
        gains = [curves.next(units) * (1.0 / time) for units, time in zip(held, minutes)]
        extracted = [0] * len(held)
        clock, index = 0.0, 0
        while clock < work["day_min"]:
            bound = max(gains) - work["tolerance"]
            best = [resource for resource, gain in enumerate(gains) if gain >= bound]
            # A draw among one needs no random number.
            chosen = best[self.draws.below(len(best), number, self.day, index)] if len(best) > 1 else best[0]
            index += 1
            clock += minutes[chosen]
            held[chosen] += 1
            experience[chosen] += 1.0
            extracted[chosen] += 1
            minutes[chosen] = curves.minutes(experience[chosen])
            gains[chosen] = curves.next(held[chosen]) * (1.0 / minutes[chosen])
        for resource, units in enumerate(extracted):
            left = experience[resource] if units else max(experience[resource] - work["forgotten_per_day"], 0.0)
            experience[resource] = min(left, float(work["full_experience"]))
        agent.extracted = extracted

    def hold_market(self, number):
        if not self.scenario["trade"]:
            return
        rounds = self.scenario["market"]["rounds"]
        for market_round in range(number * rounds, (number + 1) * rounds):
            order = self.draws.order(len(self.agents), self.day, market_round)
            for a, b in zip(order[::2], order[1::2]):
                self.barter(self.agents[a], self.agents[b])

    def barter(self, a, b):
        """The pair swaps resources. Each proposes its best swap in turn, until no attempt or no swap is left."""
        market = self.scenario["market"]
        attempts, goes_on = 0, True
        while goes_on and attempts < market["attempts"]:
            goes_on = False
            swaps = self.swaps(a, b)
            while not goes_on and swaps and attempts < market["attempts"]:
                who = attempts % 2
                worths = [swap[who] for swap in swaps]
                most, _, i, j = swaps.pop(worths.index(max(worths)))
                attempts += 1
                given, received = self.agreed_lot(a, b, i, j, most)
                if given > 0:
                    a.set_held(i, a.held[i] - given, self.curves)
                    a.set_held(j, a.held[j] + received, self.curves)
                    b.set_held(i, b.held[i] + given, self.curves)
                    b.set_held(j, b.held[j] - received, self.curves)
                    self.traded += given + received
                    goes_on = True

    def menu(self, agent):
        """The least valued resources in stock; ties go to the lower index."""
        in_stock = [resource for resource, units in enumerate(agent.held) if units > 0]
        return sorted(in_stock, key=agent.valued.__getitem__)[: self.scenario["market"]["menu_size"]]

    def swaps(self, a, b):
        """All swaps of a resource i of a for a resource j of b: the worth of j in units of i to a, of i in units of j
        to b, i and j."""
        curves, of_a, of_b = self.curves, self.menu(a), self.menu(b)
        return [
            (
                curves.next(a.held[j]) * curves.inverse_of(a.held[i] - 1),
                curves.next(b.held[i]) * curves.inverse_of(b.held[j] - 1),
                i,
                j,
            )
            for i in of_a
            if i not in of_b
            for j in of_b
            if j not in of_a
        ]

    def agreed_lot(self, a, b, i, j, most):
        """Units of i that a gives, and units of j that it receives, at the geometric mean of `most`, the units of i
        that a would give for one of j, and of the units that b would take; 0 and 0 if there is no trade."""
        utility = self.curves.utility
        a_i, a_j, b_i, b_j = a.held[i], a.held[j], b.held[i], b.held[j]
        least = self.curves.next(b_j - 1) * self.curves.inverse_of(b_i)
        if not most > least:
            return 0, 0
        n = a.power + b.power
        # The n-th power of the price: rounded quotients can be found without its root.
        price = power(most, b.power) * power(least, a.power)
        of_a_i, of_a_j, of_b_i, of_b_j = utility(a_i), utility(a_j), utility(b_i), utility(b_j)
        best_for_a = best_for_b = (-1e300, -1e300, 0, 0)
        received = 1
        for given in range(smallest_lot(price, n), a_i + 1):
            paid = power(2.0 * given, n)
            while received <= b_j and power(2.0 * received + 1.0, n) * price <= paid:
                received += 1
            if received > b_j:
                break
            surplus_a = utility(a_j + received) - of_a_j - (of_a_i - utility(a_i - given))
            surplus_b = utility(b_i + given) - of_b_i - (of_b_j - utility(b_j - received))
            if surplus_a > best_for_a[0]:
                best_for_a = (surplus_a, surplus_b, given, received)
            if surplus_b > best_for_b[1]:
                best_for_b = (surplus_a, surplus_b, given, received)
        enough = self.scenario["market"]["least_surplus"]
        for surplus_a, surplus_b, given, received in (best_for_a, best_for_b):
            if surplus_a > enough and surplus_b > enough:
                return given, received
        return 0, 0

    def consume(self):
        """Each unit is consumed with the same probability."""
        words = int(2**32 / self.scenario["economy"]["unit_lifetime_days"])
        for number, agent in enumerate(self.agents):
            for resource, units in enumerate(agent.held):
                agent.held[resource] -= self.draws.consumed(units, words, number, self.day, resource)

    def measures(self):
        """Day, utility, units held, extracted and traded (means of agents), and the Gini coefficient of utility."""
        utilities = [total(map(self.curves.utility, agent.held)) for agent in self.agents]
        self.utilities_of_days = [utilities, *self.utilities_of_days[:2]]
        agents = len(self.agents)
        held = sum(sum(agent.held) for agent in self.agents)
        extracted = sum(sum(agent.extracted) for agent in self.agents)
        means = [value / agents for value in (total(utilities), held, extracted, self.traded)]
        return [self.day, *means, gini([total(days) for days in zip(*self.utilities_of_days)])]


def smallest_lot(price, n):
    """Units of the cheap resource for one of the other: the price, rounded, and at least 1."""
    lot = max(int(price ** (1.0 / n)), 1)
    while lot > 1 and power(2.0 * lot - 1.0, n) > power(2.0, n) * price:
        lot -= 1
    while power(2.0 * lot + 1.0, n) <= power(2.0, n) * price:
        lot += 1
    return lot


def gini(values):
    values = sorted(values)
    sum_of_sums = running = 0.0
    for value in values:
        running += value
        sum_of_sums += running
    return 1.0 + 1.0 / len(values) - 2.0 * sum_of_sums / (len(values) * running) if running > 0.0 else 0.0


def merge(scenario, changes, table=""):
    """Replaces values of a scenario; unknown keys are errors."""
    for key, value in changes.items():
        if key in scenario and isinstance(scenario[key], dict) == isinstance(value, dict):
            if isinstance(value, dict):
                merge(scenario[key], value, f"{table}{key}.")
            else:
                scenario[key] = value
        elif key not in WITHOUT_EFFECT:
            sys.exit(f"{table}{key} = {value}: no such key or table; `throng config --schema societies` lists them")


def read_scenario(path, changes):
    scenario = copy.deepcopy(DEFAULTS)
    try:
        merge(scenario, tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError) as error:
        sys.exit(f"{path}: {error}")
    for change in changes:
        key, _, value = change.partition("=")
        try:
            merge(scenario, tomllib.loads(f"{key} = {value}"))
        except tomllib.TOMLDecodeError:
            # As in Throng, text needs no quotes.
            merge(scenario, {key: value})
    if scenario["model"] != "societies" or scenario["devices"] != "none" or scenario["removals"]:
        sys.exit(f"{path}: only societies without devices and removals are simulated; add --set devices=none")
    return scenario


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario", type=pathlib.Path, help="a scenario file; its values are not checked")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a value")
    parser.add_argument("--draws", choices=("philox", "python"), default="philox", help="Throng's draws or Python's")
    parser.add_argument("--repeats", type=int, default=1, help="number of timed runs")
    options = parser.parse_args()
    scenario = read_scenario(options.scenario, options.set)
    draws = PhiloxDraws if options.draws == "philox" else PythonDraws
    times = []
    for _ in range(max(options.repeats, 1)):
        began = time.perf_counter(), time.process_time()
        society = Society(scenario, draws(scenario["seed"]))
        rows = [society.measures(), *(society.simulate_day() for _ in range(scenario["days"]))]
        times.append((time.perf_counter() - began[0], time.process_time() - began[1]))
    print("day;utility;held;extracted;traded;gini")
    for row in rows:
        print(";".join(str(int(value) if value == int(value) else value) for value in row))
    for label, seconds in zip(("wall", "processor"), zip(*times)):
        spread = f"{min(seconds):.2f} to {max(seconds):.2f}"
        print(f"{label} time {statistics.median(seconds):.2f} s ({spread}, {len(times)} runs)", file=sys.stderr)


if __name__ == "__main__":
    main()
