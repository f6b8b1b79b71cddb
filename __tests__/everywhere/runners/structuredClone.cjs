// What Node has, and the environments of Jest for jsdom and happy-dom leave out.
const { deserialize, serialize } = require('node:v8');

globalThis.structuredClone ??= (value) => deserialize(serialize(value));
