/** Ends the process with one sentence if Node.js is too old. Import it first: later imports may need a newer one. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Holdfast needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
