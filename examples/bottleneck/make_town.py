"""Writes network.xml, plans.xml.gz and incident.xml, with Python's standard library: python3 make_town.py

A town on two banks of a river: streets in a grid, a main street with two lanes, which has only one on its bridge, and an
old bridge in the south. In the morning 2,000 persons drive to work, most of them over the bridge.
"""

import gzip
import heapq
import random

COLUMNS, ROWS, BLOCK = 11, 5, 250  # crossings, and metres between them
RIVER, MAIN = 6, 2  # the column without crossings, and the row of the main street
STREET = {"freespeed": 8.33, "capacity": 800, "permlanes": 1}
MAIN_STREET = {"freespeed": 13.89, "capacity": 2400, "permlanes": 2}
BRIDGE = {"freespeed": 13.89, "capacity": 1500, "permlanes": 1}
OLD_BRIDGE = {"freespeed": 8.33, "capacity": 800, "permlanes": 1}
INCIDENT = {"07:25:00": 0.25, "07:50:00": 4}  # factors of the capacity of the bridge, to the east

draw = random.Random(1)
nodes = [(column, row) for column in range(COLUMNS) for row in range(ROWS) if column != RIVER]
links = {}  # from the name of a link to its ends, length and road


def name(node):
    return f"{node[0]}-{node[1]}"


def add(a, b, road, length=BLOCK, names=None):
    there, back = names or (f"{name(a)}_{name(b)}", f"{name(b)}_{name(a)}")
    links[there], links[back] = (a, b, length, road), (b, a, length, road)


for column, row in nodes:
    if (column + 1, row) in nodes:
        add((column, row), (column + 1, row), MAIN_STREET if row == MAIN else STREET)
    if (column, row + 1) in nodes:
        add((column, row), (column, row + 1), STREET)
WEST, EAST = RIVER - 1, RIVER + 1  # the quays
add((WEST, MAIN), (EAST, MAIN), BRIDGE, 2 * BLOCK, ("bridge", "bridge_back"))
add((WEST, 0), (EAST, 0), OLD_BRIDGE, 2 * BLOCK, ("old_bridge", "old_bridge_back"))

leaving = {node: [link for link, (start, *_) in links.items() if start == node] for node in nodes}


def fastest(start, end, closed):
    """The links of the fastest path on empty streets."""
    queue, done = [(0.0, start, ())], set()
    while queue:
        time, node, path = heapq.heappop(queue)
        if node == end:
            return list(path)
        if node in done:
            continue
        done.add(node)
        for link in leaving[node]:
            _, to, length, road = links[link]
            if link not in closed:
                heapq.heappush(queue, (time + length / road["freespeed"], to, path + (link,)))


def streets(columns, rows):
    """The links, other than bridges, between crossings of these columns and rows."""
    inside = [(column, row) for column in columns for row in rows]
    return [link for link, (a, b, *_) in links.items() if a in inside and b in inside]


def clock(seconds):
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


north, south, everywhere = range(2, ROWS), range(0, 2), range(ROWS)
trips = [  # persons, streets of their homes, streets of their work, and the bridge that they do not use
    (1300, streets(range(WEST), everywhere), streets(range(EAST, COLUMNS), everywhere), "old_bridge"),
    (250, streets(range(WEST), south), streets(range(EAST, COLUMNS), south), "bridge"),
    (450, streets(range(2, RIVER), south), streets(range(2, RIVER), north), "none"),
]
persons = []
for count, homes, works, closed in trips:
    for _ in range(count):
        home, work = draw.choice(homes), draw.choice(works)
        departure = int(min(max(draw.gauss(7.5 * 3600, 1200), 6.5 * 3600), 8.5 * 3600))
        route = [home, *fastest(links[home][1], links[work][0], {closed}), work]
        persons.append((departure, home, work, route))
persons.sort()

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE %s SYSTEM "http://www.matsim.org/files/dtd/%s.dtd">\n'
lines = [HEAD % ("network", "network_v2") + '<network name="bottleneck">', "<nodes>"]
lines += [f'\t<node id="{name(n)}" x="{n[0] * BLOCK}" y="{n[1] * BLOCK}" />' for n in nodes]
lines += ["</nodes>", '<links capperiod="01:00:00">']
for link, (a, b, length, road) in links.items():
    values = " ".join(f'{key}="{value}"' for key, value in road.items())
    lines.append(f'\t<link id="{link}" from="{name(a)}" to="{name(b)}" length="{length}" {values} modes="car" />')
with open("network.xml", "w") as file:
    file.write("\n".join([*lines, "</links>", "</network>", ""]))

lines = [HEAD % ("population", "population_v6") + "<population>"]
for number, (departure, home, work, route) in enumerate(persons, 1):
    length = sum(links[link][2] for link in route[1:])
    lines += [
        f'<person id="{number}"><plan selected="yes">',
        f'\t<activity type="home" link="{home}" end_time="{clock(departure)}" />',
        '\t<leg mode="car">',
        f'\t\t<route type="links" start_link="{home}" end_link="{work}" distance="{length}">{" ".join(route)}</route>',
        "\t</leg>",
        f'\t<activity type="work" link="{work}" />',
        "</plan></person>",
    ]
with gzip.GzipFile("plans.xml.gz", "wb", mtime=0) as file:
    file.write("\n".join([*lines, "</population>", ""]).encode())

lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<networkChangeEvents xmlns="http://www.matsim.org/files/dtd">']
for time, factor in INCIDENT.items():
    lines += [
        f'\t<networkChangeEvent startTime="{time}">',
        f'\t\t<link refId="bridge"/><flowCapacity type="scaleFactor" value="{factor}"/>',
        "\t</networkChangeEvent>",
    ]
with open("incident.xml", "w") as file:
    file.write("\n".join([*lines, "</networkChangeEvents>", ""]))
