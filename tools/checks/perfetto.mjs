// Reads a trace with Perfetto's own trace processor: `node perfetto.mjs FOLDER TRACE NAME...`, where FOLDER holds Perfetto's web UI. Fails
// when the processor counts an error in the trace, an arrow that leads nowhere, or finds no slice of one of the names.
import fs from "node:fs";
import path from "node:path";

const [folder, trace, ...names] = process.argv.slice(2);

// The processor is made for a browser's worker: it reads its program by a request and answers on a port.
class FileRequest {
    open(_, file) {
        this.file = path.join(folder, path.basename(file));
    }
    send() {
        this.response = new Uint8Array(fs.readFileSync(this.file)).buffer;
        this.status = 200;
    }
}
const self = { location: { href: "worker" } };
const quiet = { log() {}, warn() {}, error: console.error };
const worker = { self, console: quiet, process: undefined, WorkerGlobalScope: Object, XMLHttpRequest: FileRequest };
new Function(...Object.keys(worker), fs.readFileSync(path.join(folder, "engine_bundle.js"), "utf8"))(...Object.values(worker));

// Protocol buffers: as much of them as the processor's messages need (protos/perfetto/trace_processor/trace_processor.proto).
function varint(value) {
    const bytes = [];
    for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
    return [...bytes, value];
}
const number = (field, value) => Buffer.from([...varint(field * 8), ...varint(value)]);
const bytes = (field, value) => Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(value.length)]), Buffer.from(value)]);
// Field by field: its number and its value, an integer or bytes.
function* fields(data) {
    let at = 0;
    const next = () => {
        let [value, shift] = [0n, 0n];
        for (;;) {
            const byte = data[at++];
            value |= BigInt(byte & 127) << shift;
            shift += 7n;
            if (byte < 128) return value;
        }
    };
    while (at < data.length) {
        const tag = Number(next());
        if (tag % 8 === 0) yield [tag >> 3, next()];
        else {
            const length = tag % 8 === 2 ? Number(next()) : tag % 8 === 1 ? 8 : 4;
            yield [tag >> 3, data.subarray(at, (at += length))];
        }
    }
}

const [APPEND, FINALIZE, QUERY] = [1, 2, 3];
let sequence = 0;
let waiting;
const port = {
    postMessage: (reply) => {
        for (const [, message] of fields(Buffer.from(reply))) waiting(message);
    },
};
// Sends a request; hands over each message that comes back before this returns.
function ask(method, args, hear) {
    waiting = hear;
    const message = Buffer.concat([number(1, sequence++), number(2, method), args]);
    port.onmessage({ data: new Uint8Array(bytes(1, message)) });
}
// Ends with what the processor says against the trace.
function refuse(message) {
    for (const [field, value] of fields(message))
        if (field === 5 || field === 201) for (const [part, text] of field === 5 ? [[2, value]] : fields(value)) if (part === 2 && text.length) fail(text.toString());
}
// Its own program is one long line, which nobody wants to see.
process.on("uncaughtException", (error) => fail(String(error)));
function fail(text) {
    console.error(`Perfetto, of ${trace}: ${text.trim().split("\n").at(-1)}`);
    process.exit(1);
}
// The rows of a query in columns of text.
function query(sql) {
    const cells = [];
    let width = 0;
    ask(QUERY, bytes(103, bytes(1, Buffer.from(sql))), (message) => {
        for (const [field, value] of fields(message)) {
            if (field === 5) fail(value.toString());
            if (field !== 203) continue;
            for (const [field, part] of fields(value)) {
                if (field === 1) width += 1;
                if (field === 2 && part.length) fail(part.toString());
                if (field === 3) for (const [field, texts] of fields(part)) if (field === 5) cells.push(...texts.toString().split("\0").slice(0, -1));
            }
        }
    });
    return Array.from({ length: cells.length / width }, (_, row) => cells.slice(row * width, (row + 1) * width));
}

setTimeout(() => {
    self.onmessage({ data: port });
    for (const [method, args] of [[APPEND, bytes(101, fs.readFileSync(trace))], [FINALIZE, Buffer.alloc(0)]]) ask(method, args, refuse);
    const faults = query("select name, cast(value as text) from stats where severity = 'error' and value > 0").map(([name, value]) => `${name}: ${value}`);
    const slices = new Map(query("select name, cast(count(*) as text) from slice group by name").map(([name, count]) => [name, Number(count)]));
    for (const name of names) if (!slices.get(name)) faults.push(`no slice is called ${name}`);
    const [[arrows, counters]] = query("select cast((select count(*) from flow) as text), cast((select count(*) from counter) as text)");
    if (!Number(arrows)) faults.push("there is no arrow from a submission to the GPU's work");
    if (!Number(counters)) faults.push("there is no counter");
    if (faults.length) fail(faults.join("; "));
    const count = [...slices.values()].reduce((sum, count) => sum + count, 0);
    console.log(`Perfetto reads ${trace}: ${count} slices, ${arrows} arrows, ${counters} values of counters, no error`);
}, 0);
