// What workerd makes of a core module: it is compiled before any request.
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
