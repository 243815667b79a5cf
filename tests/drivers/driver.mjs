// What every driver of a JavaScript runtime shares: calls in JSON, passed on to jco's version of the component.
// The protocol is in docs/parity.md.

/**
 * Answers calls, given what makes an instance over the imports, and what makes `files` of places on the disk if the
 * runtime can. A call and its answer are objects.
 */
export class Driver {
  #instantiate;
  #disk;
  #root;
  #files = lent({});
  #resources = new Map();
  #made = 0;

  constructor(instantiate, disk) {
    this.#instantiate = instantiate;
    this.#disk = disk;
  }

  async answer({ id, ...call }) {
    try {
      this.#root ??= await this.#instantiate(this.#imports());
      return { id, value: this.#dump(this.#perform(call)) };
    } catch (error) {
      if (Object.hasOwn(error, "payload")) return { id, error: this.#dump(error.payload) };
      this.#root = undefined;
      this.#files = lent({});
      this.#resources.clear();
      return { id, trap: String(error.stack ?? error) };
    }
  }

  #perform({ call, on, drop, arguments: given }) {
    if (drop !== undefined) {
      this.#resource(drop)[Symbol.dispose]();
      this.#resources.delete(drop);
      return null;
    }
    if (call === "files") {
      const [files] = given;
      this.#files = files.disk ? this.#disk(files.disk) : lent(files);
      return null;
    }
    const values = given.map((value) => this.#load(value));
    if (on !== undefined) return this.#resource(on)[camel(call)](...values);
    const [name, ...path] = call.split(".");
    const [method, type] = path.reverse();
    const within = this.#root[name];
    return type ? within[pascal(type)][camel(method)](...values) : within[camel(method)](...values);
  }

  #resource(number) {
    const resource = this.#resources.get(number);
    if (!resource) throw new Error(`no resource ${number}`);
    return resource;
  }

  #imports() {
    const denied = () => {
      throw { tag: "denied", val: "this host has none" };
    };
    return {
      "callsheet:agents/files": {
        listDirectory: (path) => this.#files.listDirectory(path),
        read: (path) => this.#files.read(path),
      },
      "callsheet:agents/model": { complete: denied },
      "callsheet:agents/tools": { call: denied },
    };
  }

  /** From JSON. 64-bit numbers stay texts: jco takes them as they are. */
  #load(value) {
    if (Array.isArray(value)) return value.map((item) => this.#load(item));
    if (value === null || typeof value !== "object") return value ?? undefined;
    if ("bytes" in value) return bytes(value);
    if ("resource" in value) return this.#resource(value.resource);
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, this.#load(held)]));
  }

  /** To JSON. */
  #dump(value) {
    if (typeof value === "bigint") return String(value);
    if (Array.isArray(value)) return value.map((item) => this.#dump(item));
    if (value === null || typeof value !== "object") return value ?? null;
    if (value instanceof Uint8Array) return { bytes: base64(value) };
    if (value instanceof Uint32Array) return [...value];
    // Only a resource has a class.
    if (Object.getPrototypeOf(value) !== Object.prototype) {
      this.#made += 1;
      this.#resources.set(this.#made, value);
      return { resource: this.#made };
    }
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, this.#dump(held)]));
  }
}

/** The import `files`, answered from the results given before. */
function lent(files) {
  const given = (kind, path) => {
    const found = files[kind]?.[path];
    if (!found) throw { tag: "not-found" };
    if (found.error) throw found.error;
    return found;
  };
  return { listDirectory: (path) => given("directories", path), read: (path) => bytes(given("contents", path)) };
}

function camel(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}

function pascal(name) {
  return name[0].toUpperCase() + camel(name.slice(1));
}

function bytes({ bytes }) {
  return Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
}

function base64(bytes) {
  const PIECE = 8_192;
  let letters = "";
  for (let start = 0; start < bytes.length; start += PIECE) {
    letters += String.fromCharCode(...bytes.subarray(start, start + PIECE));
  }
  return btoa(letters);
}
