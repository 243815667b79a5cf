// Places what a graph has in columns, so that most references lead to the right and few of them cross.

export interface Placed {
  x: number;
  /** Of its center. */
  y: number;
}

export interface Layout {
  places: Placed[];
  /** A path for each link, with its arrowhead, and the place of its label. */
  paths: Array<{ d: string; label: Placed }>;
  /** Where those without links begin; none if all have links. */
  alone: number | undefined;
  width: number;
  height: number;
}

/** The numbers of what refers and what it refers to. */
export type Tie = readonly [from: number, to: number];

/** As in style.css. */
const NODE = { width: 150, height: 46 };
const [COLUMN, ROW, MARGIN, HEADING] = [NODE.width + 66, NODE.height + 14, 12, 30];
/** The height of a link that passes a column. */
const LANE = 16;
/** More take longer than a graph with so many is worth. */
const MOST_LANES = 5_000;
const SWEEPS = 8;

/** Longest paths from what nothing refers to give the columns, means of neighbors their order and then their heights. */
export function layout(count: number, ties: Tie[]): Layout {
  const tied = new Set(ties.flat());
  const { layers, back } = columnsOf(count, ties, tied);
  // Links that pass columns have a lane in each of them.
  const heights = Array.from({ length: count }, () => ROW);
  const columns: number[][] = [];
  const put = (at: number, layer: number) => (columns[layer] ??= []).push(at);
  for (const at of tied) put(at, layers[at] ?? 0);
  const chains = ties.map(([from, to], index) => {
    const [left, right] = back.has(index) ? [to, from] : [from, to];
    const chain = [left];
    for (let layer = (layers[left] ?? 0) + 1; layer < (layers[right] ?? 0) && heights.length < count + MOST_LANES; layer += 1) {
      put(heights.length, layer);
      layers[heights.length] = layer;
      chain.push(heights.length);
      heights.push(LANE);
    }
    return [...chain, right];
  });
  const ys = heightsOf(columns, chains, heights);
  const places = heights.map((_, at): Placed => ({ x: MARGIN + (layers[at] ?? 0) * COLUMN, y: (ys[at] ?? 0) + MARGIN + NODE.height / 2 }));
  // Those without links are in rows below.
  const loose = [...heights.keys()].slice(0, count).filter((at) => !tied.has(at));
  const bottom = tied.size > 0 ? Math.max(...ys.filter((y) => y !== undefined)) + MARGIN + NODE.height : 0;
  const wide = Math.max(columns.length, 1, Math.min(3, Math.ceil(Math.sqrt(loose.length))));
  const top = bottom + MARGIN + HEADING;
  for (const [index, at] of loose.entries()) {
    places[at] = { x: MARGIN + (index % wide) * COLUMN, y: top + Math.floor(index / wide) * ROW + NODE.height / 2 };
  }
  return {
    places: places.slice(0, count),
    paths: chains.map((chain, index) => drawn(chain.flatMap((at) => places[at] ?? []), back.has(index))),
    alone: loose.length > 0 ? bottom + MARGIN : undefined,
    width: wide * COLUMN - COLUMN + NODE.width + 2 * MARGIN,
    height: loose.length > 0 ? top + Math.ceil(loose.length / wide) * ROW : bottom + MARGIN,
  };
}

/** The column of each node, and the links that lead back, which close cycles. */
function columnsOf(count: number, ties: Tie[], tied: Set<number>): { layers: number[]; back: Set<number> } {
  const out = Array.from({ length: count }, (): number[] => []);
  for (const [index, [from]] of ties.entries()) out[from]?.push(index);
  const back = new Set<number>();
  const state: Array<"open" | "done" | undefined> = [];
  const order: number[] = [];
  const visit = (at: number) => {
    state[at] = "open";
    for (const index of out[at] ?? []) {
      const to = ties[index]?.[1] ?? at;
      if (state[to] === "open") back.add(index);
      else if (!state[to]) visit(to);
    }
    state[at] = "done";
    order.unshift(at);
  };
  const named = new Set(ties.map(([, to]) => to));
  for (const at of [...[...tied].filter((at) => !named.has(at)), ...tied]) if (!state[at]) visit(at);
  const layers: number[] = [];
  for (const at of order) {
    layers[at] ??= 0;
    for (const index of out[at] ?? []) {
      const to = ties[index]?.[1];
      if (to !== undefined && !back.has(index)) layers[to] = Math.max(layers[to] ?? 0, layers[at] + 1);
    }
  }
  // What nothing refers to moves next to what it refers to.
  for (const at of tied) {
    if (!named.has(at)) layers[at] = Math.min(...(out[at] ?? []).map((index) => layers[ties[index]?.[1] ?? at] ?? 1)) - 1;
  }
  return { layers, back };
}

/** Orders the columns, and returns the height of everything in them, from 0. */
function heightsOf(columns: number[][], chains: number[][], heights: number[]): number[] {
  const [before, after] = [heights.map((): number[] => []), heights.map((): number[] => [])];
  for (const chain of chains) {
    for (const [index, at] of chain.slice(1).entries()) {
      const last = chain[index] ?? 0;
      before[at]?.push(last);
      after[last]?.push(at);
    }
  }
  const ys: number[] = [];
  const mean = (all: number[], other: number) => (all.length > 0 ? all.reduce((sum, one) => sum + (ys[one] ?? 0), 0) / all.length : other);
  const sweep = (each: (column: number[], isForth: boolean) => void) => {
    for (let count = 0; count < SWEEPS; count += 1) for (const column of count % 2 === 0 ? columns : columns.toReversed()) each(column, count % 2 === 0);
  };
  const number = (column: number[]) => {
    for (const [row, at] of column.entries()) ys[at] = row;
  };
  columns.forEach(number);
  sweep((column, isForth) => {
    const wanted = new Map(column.map((at, row) => [at, mean((isForth ? before : after)[at] ?? [], row)]));
    column.sort((one, other) => (wanted.get(one) ?? 0) - (wanted.get(other) ?? 0));
    number(column);
  });
  for (const column of columns) stack(column, heights, ys, (at) => (ys[at] ?? 0) * ROW);
  sweep((column) => stack(column, heights, ys, (at) => mean([...(before[at] ?? []), ...(after[at] ?? [])], ys[at] ?? 0)));
  const top = Math.min(...ys.filter((y) => y !== undefined));
  return ys.map((y) => y - top);
}

/** Gives a column its heights: as wanted, but in order and apart. The mean of two such columns is one, too. */
function stack(column: number[], heights: number[], ys: number[], want: (at: number) => number): void {
  const apart = (one: number, other: number) => ((heights[one] ?? 0) + (heights[other] ?? 0)) / 2;
  const wanted = column.map(want);
  const [down, up] = [[...wanted], [...wanted]];
  for (let row = 1; row < column.length; row += 1) {
    down[row] = Math.max(wanted[row] ?? 0, (down[row - 1] ?? 0) + apart(column[row - 1] ?? 0, column[row] ?? 0));
  }
  for (let row = column.length - 2; row >= 0; row -= 1) {
    up[row] = Math.min(wanted[row] ?? 0, (up[row + 1] ?? 0) - apart(column[row] ?? 0, column[row + 1] ?? 0));
  }
  for (const [row, at] of column.entries()) ys[at] = ((down[row] ?? 0) + (up[row] ?? 0)) / 2;
}

/** A line through places from left to right, with its arrowhead on one end. */
function drawn(chain: Placed[], isBack: boolean): Layout["paths"][number] {
  const [first, ...rest] = chain as [Placed, ...Placed[]];
  // So that it does not cover a link that leads forth.
  const shift = isBack ? 9 : 0;
  const y = (place: Placed) => Math.round(place.y + shift);
  let x = first.x + NODE.width;
  let last = y(first);
  let d = `M${x} ${last}`;
  if (isBack) d += "l8 -4m-8 4l8 4m-8 -4";
  let label = first;
  for (const [index, place] of rest.entries()) {
    const middle = (x + place.x) / 2;
    d += `C${middle} ${last} ${middle} ${y(place)} ${place.x} ${y(place)}`;
    if (index === 0) label = { x: middle, y: (last + y(place) + shift) / 2 };
    x = place.x + NODE.width;
    last = y(place);
    if (index < rest.length - 1) d += `H${x}`;
  }
  return { d: isBack ? d : `${d}l-8 -4m8 4l-8 4`, label };
}
