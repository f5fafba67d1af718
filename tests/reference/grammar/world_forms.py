"""What the functions and attributes of each world are held to: rules, with holes."""

BOARDS = [
    "count((shade[d] for d in g.knight(c)), True) <= <int> for c in g.cells",
    "count(shade[g.neighbours(c)], True) != <int> for c in g.cells",
    "implies(shade[c], sum(shade[d] for d in g.neighbours(c)) <= <int>) for c in g.cells",
    "sum(shade[g.within(c, <kint>, [d for d in g.cells if d.row != 2])]) <= <int> for c in g.cells",
    "implies(shade[c], any(shade[d] for d in g.around(c))) for c in g.cells",
    "at_most(<int>, shade[b_]) for b_ in g.windows(2, 2)",
    "at_most_one(shade[w]) for w in g.windows(high=1, wide=2)",
    "count(shade[r], True) == <int> for r in g.rows",
    "shade[row] != shade[other] for row, other in pairs(g.columns) if len(row) == len(other)",
    "exactly_one(shade[r]) for r in g.regions",
    "sum(shade[c] for c in g.cells if c in part) == <int> for part in b.boxes(box)",
    "sum(shade[c] for c in g.cells if c in part) <= <int> for part in b.boxes(size=(1, 3))",
    "count(shade[d], True) != <int> for d in g.all_diagonals if len(d) > 1",
    "any(shade[c] for c in line if c in g.cells) for line in q.diagonals",
    "runs(shade[slot]) != <lengths> for slot in g.slots(2)",
    "runs(shade[slot]) == <lengths> for slot in g.slots(shortest=3)",
    "visible(<int> + shade[c] for c in slot) < 3 for slot in g.slots(2)",
    "runs(shade[slot]) != <lengths> for slot in g.across()",
    "at_most(<int>, shade[slot]) for slot in g.across(2)",
    "any(shade[slot]) for slot in g.down(shortest=2)",
    "sum(shade[c] for slot in g.down() + g.across(shortest=1) for c in slot[:1]) >= <int>",
    "count(shade[slot], True) <= <int> for slot in g.down(1)",
    "connected({c: shade[c] for c in part(g, g.given).cells})",
    "sum(shade[c] for c in part(g=g, cells=[c for c in g.cells if c.row == 1]).cells) == <int>",
    "shade[a] != shade[c] for a, c in g.adjacent[:2]",
    "at_most_one(shade[g.around(k)]) for k in g.corners[1:]",
    "any(shade[c] for ray in g.rays(<cell>) for c in ray) == (<cond>)",
    "sum(shade[c] for c in g.rays(<cell>)[2]) == <int>",
    "sum(shade[c] for ray in g.rays(<cell>, through_holes=True) for c in ray) <= <int>",
    "runs(shade[g.rays(<cell>, True)[1]]) != <lengths>",
    "all(runs(shade[ray]) != <lengths> for ray in g.rays(<cell>, True))",
    "runs(shade[c] for c in b.line(cell(1, 1), cell(1, 3)) if c in g.cells) != <lengths>",
    "all(shade[c] == (<cond>) for c in q.line(a=cell(1, 1), b=cell(3, 3)) if c in g.cells)",
    "all(shade[a] or shade[c] for a, c in g.links(<cell>)) or <cond>",
    "shade[c] == (g[c] == 1) for c in g.given",
    (
        "count((any(shade[r]) for r in through(g.rows + g.columns)[c]), True) == <int> "
        "for c in g.cells"
    ),
    "sum(shade[grouped(pairs=[(g[c], c) for c in g.given])[1]]) <= <int>",
    "any(shade[r]) for r in through(groups=g.down(1))[<cell>]",
    "exactly_one(shade[c] for c in (g.slots(1)).through(<cell>)[0])",
    "implies(shade[c], not shade.at(g.next(c, <way>), False)) for c in g.cells",
    "sum(shade[g.ray(<cell>, <way>)]) == <int>",
    (
        "sum(shade.at(g.next(c, turned(way, <small>)), False) for way in ways) <= <int> "
        "for c in g.cells"
    ),
    "all(shade[c] for c in [c.step(<way>) for c in g.cells] if c in g.cells) or <cond>",
    "any(shade.at(<cell>.step(way, n=<kint>), <cond>) for way in (<way>, <way>))",
    "shade.at(<cell>.step(<way>, 2), <cond>)",
    "shade[c] != shade.at(cell(c.row + 1, c.column), <cond>) for c in g.cells",
    "sum(g.at(cell(1, c), 2) == 2 for c in range(4)) + sum(shade) >= <int>",
    "shade.at(key=None, default=<cond>)",
    "{c: shade[c] for c in g.cells}.at(<cell>, False) or <cond>",
    "count(g, 1) + sum(shade) == <int>",
    "sum(shade[c] * g[c] for c in g.given) == <int>",
    "shade[c] or c.row == <small> or c.column == 1 for c in g.cells",
    "implies(shade[c], cell(c.row + 1, c.column) in g.cells) for c in g.cells",
    "cell(row=1, column=1) not in g.cells or sum(shade) != <int>",
    "letters[cell(1, 2)] == 'b' and sum(shade) >= <int> - 1",
    "count(letters, 'a') == sum(shade)",
    "letters[b.rows[0][:2]] == 'ab' and sum(shade) < <int> + 2",
    "box.rows * box.columns <= sum(shade)",
    "connected(shade)",
    "connected(flags=shade, moves=king)",
    "connected(shade, moves=rook)",
    "connected(shade + {cell(0, 1): <cond>}, links=g.adjacent + ((cell(0, 1), g.cells[0]),))",
    "connected({cell(9, 9): <cond>, cell(9, 8): True} + shade)",
    "connected(shade, g.touching)",
    "connected(shade, links=g.touching)",
    "connected({c: <cond> or shade[c] for c in g.cells})",
    "connected({c: not shade[c] for c in g.cells}, moves='king')",
    (
        "connected({c: shade[c] if c.row == 1 else True for c in g.cells}, links=[p "
        "for p in g.adjacent if p[0].row == p[1].row])"
    ),
    "not connected(shade)",
    "connected(shade) or <cond>",
    "implies(<cond>, connected(shade, moves=king))",
    "connected(shade, links={p: shade[p[0]] or <cond> for p in g.adjacent})",
    "connected({c: shade[c] or c.row == 1 for c in g.cells}, {p: <cond> for p in g.touching})",
    "region_sizes(shade)[<cell>] == <int> + 1",
    "implies(shade[c], region_sizes(labels=shade, links=g.touching)[c] <= <int>) for c in g.cells",
    "region_sizes({c: <small> if shade[c] else c.row for c in g.cells})[<cell>] != 2",
    (
        "all(region_sizes(g.cells, {p: shade[p[0]] == shade[p[1]] for p in g.adjacent})[c] > 1 "
        "for c in g.cells) or <cond>"
    ),
    (
        "sum(region_sizes({c: None if c.row == 1 else shade[c] for c in g.cells})[c] "
        "for c in g.cells if c.row > 1) != <int>"
    ),
    "regions({c: <small> if shade[c] else c.row for c in g.cells})",
    "regions(labels={c: 1 if shade[c] else 2 for c in g.cells}, links=g.touching)",
    "regions(shade)",
    "not regions(shade, g.adjacent)",
    "len(g) == len(g.cells) and sum(shade) != <int>",
    "sum(len(r) for r in b.edges) + sum(shade) > <int> + 30",
    "len(b.corners) == 12 and len(b.sides(cell(1, 1))) == 4 and any(shade)",
    "exactly_one(use for use in shade)",
    "matches(shade, <bit_pattern>)",
    "lex_less(shade[g.rows[0]], shade[g.rows[-1]])",
]

OTHER_BOARDS = [
    "count(shade[b.neighbours(c)], True) != <int> for c in b.cells",
    "implies(shade[c], count(shade[b.around(c)], True) <= <int>) for c in b.cells",
    "at_most_one(shade[b.around(k)]) for k in b.corners",
    "shade[a] or shade[c] for a, c in b.touching",
    "implies(shade[c], not shade.at(b.next(c, <straight>), True)) for c in b.cells",
    "runs(shade[b.ray(c, <straight>)]) != [1] for c in b.cells",
    "count((shade[a] != shade[d] for a, d in b.links(c)), True) <= <int> for c in b.cells",
    "connected(shade, links=b.adjacent)",
    "connected(shade, b.touching)",
    "regions({c: 1 if shade[c] else 2 for c in b.cells}, links=b.adjacent)",
    "count(shade[r], True) == <int> for r in b.rows",
    "any(shade[r]) for r in b.columns",
    (
        "len(triangles(g)) == len(hexagons(g)) and len(triangle_board(2)) < len(hex_board(2)) "
        "and any(shade)"
    ),
    (
        "sum(shade[c] for c in line) < <int> + 2 for line in hex_board(2).diagonals "
        "if all(c in b.cells for c in line)"
    ),
    "len(hex_board(side=2).cells) == 7 and len(torus(2, 2).adjacent) <= 4 + sum(shade)",
    "len(b.adjacent) >= 3 and len(hexagons(g=g).cells) >= 2 and not all(shade)",
    "len(triangles(g=g).adjacent) >= 1 and len(triangle_board(side=2).cells) == 4 and any(shade)",
    (
        "sum(shade[c] for c in line) < <int> + 2 for line in triangle_board(2).diagonals "
        "if all(c in b.cells for c in line)"
    ),
    "sum(shade[d] for d in torus(2, 3).knight(cell(1, 1)) if d in b.cells) == <int>",
]

EDGES = [
    "single_loop(line)",
    "single_loop(line=line) or <cond>",
    "not single_loop(line)",
    "single_path(line)",
    "single_path({e: line[e] for e in every})",
    "implies(<cond>, single_path(line))",
    "all(iff(path(line, c, d), <cond>) for c, d in every[:1])",
    "path(line={e: not line[e] for e in every}, a=every[0][0], b=every[-1][1])",
    "not path(line, every[0][1], every[-1][1]) if every[0][1] != every[-1][1] else any(line)",
    (
        "inside({e: line[e] for e in every if e[0].row == e[1].row "
        "or e[0].column == e[1].column}, <cell>)"
    ),
    "inside(line={e: line[e] for e in every if e[0].row == e[1].row}, place=<cell>) == (<cond>)",
    (
        "any(inside({e: line[e] for e in every if 0 in (e[0].row - e[1].row, "
        "e[0].column - e[1].column)}, d) for d in b.corners)"
    ),
    (
        "not inside({e: line[e] or <cond> for e in every if e[0].row == e[1].row "
        "or e[0].column == e[1].column}, <node>)"
    ),
    "acyclic(line)",
    "not acyclic({e: line[e] for e in every})",
    "acyclic(line) and <cond>",
    "sum(line) == <int>",
    "count((line[e] for e in b.sides(cell(1, 1)) if e in every), True) == <int>",
    "count((line[e] for e in b.sides(first(b.corners)) if e in every), True) <= <int>",
    "sum(line[e] for e in b.links(<cell>) if e in every) == <int>",
    "all(line[edge(c, d)] == line[edge(b=c, a=d)] for c, d in every)",
    "line[edge(every[1][1], every[1][0])]",
    "line.at(edge(<cell>, <cell>), <cond>)",
    "edge(None, <cell>) == None and line.at(edge(<cell>, None), <cond>)",
    "line[edge(a=every[0][1], b=every[0][0])] or <cond>",
    "any(line[e] for e in every if first(e).row == 1)",
    "at_most_one(line[e] for e in every if c in e) for c in distinct(c for e in every for c in e)",
    "at_most(2, (line[e] for e in every if c in e)) for c in distinct(c for e in every for c in e)",
    "all(line[e] == (<cond>) for e in every if e[0].column == e[1].column)",
]

PLACES = [
    "exactly_one(use[p] for p in places.through(c)) for c in g.cells",
    "at_most_one(use[p] for p in places.through(c)) for c in g.cells",
    "exactly_one(use[p] for p in places.of(s)) for s in pieces",
    "at_most_one(use[p] for p in through(places)[c]) for c in g.cells",
    (
        "at_most_one(use[p] for p in [p for p in places if p.piece == 'I'].through(c)) "
        "for c in g.cells"
    ),
    "sum(use[p] for p in [p for p in places if cell(1, 1) in p.cells].of('I')) <= <int>",
    "at_least(<small>, (use[p] for p in grouped((p.piece, p) for p in places)['I']))",
    "at_least(1, (use[p] for p in places.of('I')))",
    "sum(use) == <int>",
    "sum(len(p) * use[p] for p in rectangles(g, 2) if p in places) <= <int>",
    "not (use[p] and use[q]) for p, q in pairs(places) if p.piece == q.piece",
    "any(use[p] for p in places if cell(1, 1) in p.cells)",
    "sum(len(p.cells) * use[p] for p in places if p.piece == 'I') >= <int>",
    "len(pieces['I']) == 2 and len(alone) == 3 and any(use)",
    "len(placements(pieces, g, False, False)) <= len(placements(pieces, g)) and sum(use) != <int>",
    "len(rectangles(board(2, 2))) == 9 and len(places) > sum(use)",
    (
        "len(rectangles(g, around={c: 2 if c == g.cells[0] else None "
        "for c in g.cells[:2]})) > sum(use)"
    ),
    (
        "len(rectangles(g, largest=2, around=[cell(1, 1)])) + len(polyominoes(g, "
        "3).through(cell(1, 1))) >= sum(use)"
    ),
    "at_most(<int>, use)",
]

TILES = [
    "exactly_one(use[t] for t in tiles.through(c)) for c in letters.cells",
    "at_most_one(use[t] for t in tiles if c in t.cells) for c in letters.cells",
    (
        "exactly_one(use[t] for t in tiles if w in t.words) for w in words if any(w in t.words "
        "for t in tiles)"
    ),
    "sum(use) == <int>",
    "any(use[t] for t in tiles if len(t.cells) == 2) or <cond>",
    "sum(len(t.words) * use[t] for t in tiles) <= <int>",
    "len(word_paths(letters=letters, words=words, moves=king, shortest=2, longest=2)) >= sum(use)",
    "len(distinct(w for t in tiles for w in t.words)) >= sum(use)",
    "sum(use[t] for t in tiles if any(p[0] == c for p in t.paths)) <= <int> for c in letters.cells",
    "len(word_paths(letters, words, rook, 2, 3)) >= sum(use)",
]

CYCLES = [
    "sum(times[k] for k in every.through(a)) <= <int> for a in distinct(arcs)",
    "sum(times[k] for k in every.through(<arc>)) == 1",
    "sum(times) <= best.bound",
    "sum(times) >= len(best.cut)",
    "sum(len(k) * times[k] for k in every) <= len(arcs)",
    "at_most_one(times[k] == 1 for k in best.through(<arc>) if k in every)",
    "best.uniform or sum(times) == <int>",
    "len(exchanges(start, to, cut)) >= sum(times)",
    "len(exchanges(start=start, target=to, cycles=cut)) + <int> > sum(times)",
    (
        "len(simple_cycles([(1, 2), (2, 1), (2, 2)]).through((2, 1))) == 1 and any(times[k] == 1 "
        "for k in every)"
    ),
    "all(times[k] == 0 for k in every if (any(a == b for a, b in k)))",
]

WORDS = [
    "w in words",
    "w not in words",
    "w[range(2)] in words",
    "[w[0], w[1]] not in words",
    "<cond> or w[range(2)] in words",
    "(w[0], 'a') in words and <cond>",
    "not (w in words)",
    "v in words",
    "v not in words.of_length(2)",
    "v == <given_word>",
    "v != <given_word>",
    "v in ('ab', 'ba', 'abba')",
    "count(v, <letter>) == <int>",
    "count(v, 'a') < <int>",
    "count(xs=v, v='b') >= <int>",
    "(v if <cond> else 'ab') == <given_word>",
    "v < 'b'",
    "all_different((v, <given_word>))",
    "rarity(w, words) <= 20",
    "rarity(w[range(2)], words) > rarity(v, words) - <int>",
    "rarity(xs=v, words=words) != <int> * 5",
    "rarity(words=words, xs=[w[0], 'b']) < 25",
    "by_rarity(words.of_length(2), words)[0] == v or <cond>",
    "succession(w[0], w[1], words) <= -<int> * 10",
    "succession(v, ['a', w[0]], words) == 0 or <cond>",
    "succession(a='a', b=w[0], words=words) < 0",
    "v != by_rarity(xs=('ab', 'zz', 'ba'), words=words)[0]",
    "'ab' in words and w[0] != 'a'",
    "len(words) > <int>",
    "len(words.of_length(n=2)) > <int>",
    "w[0] in words.alphabet and w[1] != <letter>",
    "<letters=2> in words",
    "<letters=3> in words or <cond>",
    "implies(<cond>, <letters=2> in words)",
    "<letters=2> in words.of_length(2)",
    "matches(w, <pattern>)",
    "words.of_length(2)[0] != v",
    "<word> == <given_word>",
]

GUESSES = [
    "marks(v, 'abc') == colours",
    "marks('aab', v, marking) == marks('aab', 'abc', marking)",
    "marks(guess=v, answer='cab', marking='set') != colours",
    "marks(w, v) == colours or <cond>",
    "marks(w, 'aab')[0] == one",
    "v in fitting(three, ['aab'], [colours]) or <cond>",
    "v not in fitting(words=three, guesses=[], rows=[], marking=marking)",
    "v in fitting(three, ('abc',), (marks('abc', 'cab'),), 'set')",
    (
        "next_guesses(three, [three]).by_average(9)[v] != next_guesses(three, "
        "[three]).by_average(n=9)['abc']"
    ),
    "v in next_guesses(words=three, left=[three, ['abc', 'cab']], marking=marking).by_worst(n=9)",
    (
        "next_guesses(three, [three], 'set').by_worst(9)[v] == next_guesses(three, [three], "
        "'set').by_worst(9)['cab']"
    ),
    (
        "next_guesses(three, [['abc']], marking).by_worst(9)[v] != next_guesses(['abc'], "
        "[['abc']]).by_average(1)['abc']"
    ),
    "v in boards_of(rows, three, three)",
    "v not in boards_of(rows, three, three[:3], marking, True)",
    "boards_of(rows=rows, words=three, answers=three, marking=marking, differ=True)[v] >= <small>",
    "v not in boards_of(rows, three, three, marking)",
    "len(boards_of(rows, three, three, marking='set', differ=False)) >= <int>",
    "grey < yellow < green and max(marks(v, 'abc')) == one",
    "count(marks(v, 'bca'), yellow) == <small>",
    "all(m == one or m != grey for m in marks(v, w))",
    "<marks=3> == colours",
    "one in (<mark>, <mark>)",
    "min(colours) == <mark>",
]

TEXTS = [
    "len(words_in(line)) > <int>",
    "t['x'] in words_in(line) or <cond>",
    "len(words_in(text=line)) != <int>",
    "replaced('xy', letters) == 'ab' and t['x'] != <letter>",
    "replaced(text='Xy, l!', letters=letters) == 'Ab, c!' and t['y'] == <letter>",
    "[t[s] for s in part] != 'ab' for part in split(symbols, '/')",
    "len(split(xs=symbols, at='/')) >= <int> - 1",
    "t[split(symbols, '/')[0]] in ['ab', 'ba', 'a', 'c']",
    "word(('a', 'b')) == 'ab' and t['x'] == <letter>",
    "word(letters=[1, 2]) == '12' and t['y'] != <letter>",
    "first(word('ab')) == t['x']",
    "sorted(symbols)[0] == '/' and t['x'] < t['y']",
    "all_different(t)",
    "[s for s in sorted(distinct(symbols))][1:] == ['x', 'y'] and t['x'] != t['y']",
    "t[...] == <letters=2>",
    "[t[s] for s in reversed(symbols) if s != '/'] != <letters=3>",
]

DATA = [
    "sum(z) == a + m",
    "z[0] == 1 if on else z[0] == 2",
    "sign in 'abc' and z[1] == table[sign]",
    "pick == 'left' or z[0] < z[1]",
    "z[i] <= many[i] for i in range(len(many))",
    "sum(z) > sum(nested[0])",
    "z[0] == k for s, k in pairs_of if s == 'a'",
    "z[pair[0]] == <int>",
    "table[pair[1]] == z[0]",
    "sum(table[l] for l in table) >= z[2]",
    "len(names) == z[0] + z[1]",
    "maybe == None or z[0] == maybe",
    "area.rows < area.columns and z[0] != area.rows",
    "other == 1 and sum(z) != wide",
    "count(folded, 'a') == sum(z)",
    "z[1] in even",
    "z[0] == numbers[1] or z[1] in numbers",
    "z[i] == v for i, v in enumerate(many) if v > 1",
    "names[0][0] in ('n', 'y', 'a') and z[0] > 0",
    "z == many",
    "z != sorted(many)",
    "z[many[0]] == 0",
    "many[z[0]] == 1",
    "nested[1][z[0]] == 2",
    "count(many, z[0]) == 1",
    "a < z[0] or not on",
    "z[i] == signs[c] for i, c in enumerate(signs.numbers) if i < 3",
    "sum(z[c.column - 1] for c in ways[0]) == <int>",
    "z[ways[1][0].row] == z[first(ways[0]).column - 1]",
    "spots['a'] == cell(1, 1) or z[spots['a'].column - 1] == 1",
    "sum(spots[k] in signs.cells for k in spots) == z[2]",
    "len(signs.having('q', 'x')) == z[0] + z[1]",
    "z[c.column - 1] != 0 for c in signs.having('q', None)",
    "z[i] >= side for i, side in enumerate(sides) if side != None and side != 'q'",
    "z[i] == 1 or side == 'q' for i, side in enumerate(sides)",
    "sum(z[c.column - 1] for c in signs.given if signs[c] >= 1) == <int>",
    "mixed['a'] == 1 or z[len(mixed['a'])] == 1",
    "sum(signs[c] < 'r' for c in signs.given) == z[0]",
    "count(signs, 'x') == z[1]",
]
