/** An ONNX graph small enough to be written by hand: what a test needs to see, and nothing else. */
export interface TinyGraph {
  /** Sizes by name; a string is a size that is not known before. */
  readonly inputs: Readonly<Record<string, readonly (number | string)[]>>;
  readonly nodes: readonly TinyNode[];
  readonly outputs: readonly string[];
  readonly weights?: Readonly<Record<string, TinyWeights>>;
}

export interface TinyNode {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly output: string;
}

export interface TinyWeights {
  readonly dims: readonly number[];
  /** The file beside the model that holds them; else they are zeros inside it. */
  readonly externalFile?: string;
}

/** The bytes of the ONNX file. */
export function tinyOnnx(graph: TinyGraph): Buffer {
  const body = Buffer.concat([
    ...graph.nodes.map((node) => field(1, nodeProto(node))),
    field(2, 'tiny'),
    ...Object.entries(graph.weights ?? {}).map(([name, weights]) => field(5, tensorProto(name, weights))),
    ...Object.entries(graph.inputs).map(([name, dims]) => field(11, valueInfo(name, dims))),
    ...graph.outputs.map((name) => field(12, valueInfo(name))),
  ]);
  return Buffer.concat([field(1, 8), field(8, field(2, 17)), field(7, body)]);
}

const float = 1;

function nodeProto({ operator, inputs, output }: TinyNode): Buffer {
  return Buffer.concat([
    ...inputs.map((input) => field(1, input)),
    field(2, output),
    field(3, `${operator} of ${output}`),
    field(4, operator),
  ]);
}

function valueInfo(name: string, dims?: readonly (number | string)[]): Buffer {
  const shape = dims?.map((size) => field(1, typeof size === 'number' ? field(1, size) : field(2, size)));
  const tensor = [field(1, float), ...(shape === undefined ? [] : [field(2, Buffer.concat(shape))])];
  return Buffer.concat([field(1, name), field(2, field(1, Buffer.concat(tensor)))]);
}

function tensorProto(name: string, { dims, externalFile }: TinyWeights): Buffer {
  const bytes = 4 * dims.reduce((all, size) => all * size, 1);
  const data =
    externalFile === undefined
      ? [field(9, Buffer.alloc(bytes))]
      : [field(13, Buffer.concat([field(1, 'location'), field(2, externalFile)])), field(14, 1)];
  return Buffer.concat([...dims.map((size) => field(1, size)), field(2, float), field(8, name), ...data]);
}

// A field of a protocol buffer: a number as a varint, all else with its length before it.
function field(number: number, value: number | string | Buffer): Buffer {
  if (typeof value === 'number') return Buffer.concat([varint(number << 3), varint(value)]);
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}
