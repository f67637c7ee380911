// node run.mjs MICROPYTHON PROGRAM.py SCRIPT.py: puts the program where MicroPython finds it and runs the script.

import { readFileSync } from "node:fs";

const [home, program, script] = process.argv.slice(2);
const { loadMicroPython } = await import(`${home}/micropython.mjs`);
const said = [];
const python = await loadMicroPython({ stdout: (line) => said.push(line) });
python.FS.writeFile("/box.py", readFileSync(program, "utf8"));
python.runPython(`import sys; sys.path.append("/")\n${readFileSync(script, "utf8")}`);
console.log(said.join("\n"));
