# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes what the kernels of lanes.cl do: how often sub-groups execute each line, and the values of variables."""
import dataclasses
import pathlib

SOURCE = pathlib.Path(__file__).with_name("lanes.cl")
TEXT = SOURCE.read_text().splitlines()
WEIGHTS = [3, 1, 4, 1]


def line(text, after=0):
    """Returns the number of the first line after line `after` that contains the text."""
    return next(number for number, content in enumerate(TEXT, 1) if number > after and text in content)


@dataclasses.dataclass(frozen=True)
class Launch:
    """The sizes of a launch, which have one to three numbers each. in[i] is i."""
    width: int
    global_size: tuple
    local_size: tuple
    limit: int

    def groups(self):
        """Returns the work-groups as lists of the linear global ids of their work-items, in the order of local ids."""
        pad = (1,) * (3 - len(self.global_size))
        size, local = self.global_size + pad, self.local_size + pad
        result = []
        for gz in range(0, size[2], local[2]):
            for gy in range(0, size[1], local[1]):
                for gx in range(0, size[0], local[0]):
                    result.append([x + size[0] * (y + size[1] * z)
                                   for z in range(gz, min(gz + local[2], size[2]))
                                   for y in range(gy, min(gy + local[1], size[1]))
                                   for x in range(gx, min(gx + local[0], size[0]))])
        return result

    def sub_groups(self):
        """Returns the sub-groups as lists of the linear global ids of their work-items."""
        return [group[i:i + self.width] for group in self.groups() for i in range(0, len(group), self.width)]

    def words(self):
        return ["x".join(map(str, self.global_size)), "x".join(map(str, self.local_size)), str(self.limit)]


def turns(x):
    """Returns how often the loop in `branches` starts its body."""
    return min(x & 7, 6)


def branches(x, limit):
    """Returns the variables of a work-item at the end of the kernel."""
    y = x * 2 + 3 if x < limit else (x - 5) * 7
    total = sum(i * x for i in range(min(x & 7, 5))) + 1
    numbers = [x + weight for weight in WEIGHTS]
    half = x * 0.5
    vector = [x, (x + 1) * 2, x + 2, x + 3]
    q = x * x + 1
    return {"x": x, "y": y, "sum": total, "q": q, "v": vector, "numbers": numbers, "pair": (x, half),
            "out": y + total + q + numbers[x & 3] + vector[1] + x + int(half)}


def branches_hits(launch):
    """Returns, for each line of `branches` with a statement, how often sub-groups start it."""
    sub_groups = launch.sub_groups()
    once = len(sub_groups)

    def count(predicate):
        return sum(any(map(predicate, items)) for items in sub_groups)

    def most(function):
        return sum(max(map(function, items)) for items in sub_groups)

    hits = {line(text): once for text in (
        "int s = v * v", "return s + 1", "int id =", "int x = in", "int y = 0", "if (x < limit)", "int sum = 0",
        "int q =", "float4 v", "v.y *=", "pair.count = x", "pair.part = x", "int *address", "*address +=", "out[id] = y",
        "+ pair.count", "+ (int)pair.part", "for (int i = 0; i < (x", "for (int i = 0; i < 4")}
    for text in ("y = x * 2;", "y = y + 3"):
        hits[line(text)] = count(lambda x: x < launch.limit)
    for text in ("y = x - 5", "y = y * 7"):
        hits[line(text)] = count(lambda x: x >= launch.limit)
    hits[line("if (i == 5)")] = most(turns)
    hits[line("break;")] = count(lambda x: turns(x) == 6)
    hits[line("sum += i * x")] = most(lambda x: min(x & 7, 5))
    hits[line("numbers[i] =")] = 4 * once
    hits[line("}", after=line("+ (int)pair.part"))] = once
    return hits


BARRIERS = line("kernel void barriers")


def barriers_hits(launch):
    begin = line("int id =", after=BARRIERS)
    return {number: len(launch.sub_groups()) for number in range(begin, len(TEXT) + 1)}


def barriers(launch):
    """Returns the variables at the end of the kernel, by linear global id."""
    result = {}
    for group in launch.groups():
        x = [3 * i for i in group]
        left = [x[p - 1] if p > 0 else -1 for p in range(len(group))]
        total = [a + b for a, b in zip(left, x)]
        for place, i in enumerate(group):
            result[i] = {"x": x[place], "left": left[place], "sum": total[place], "out": total[0] + total[place]}
    return result
