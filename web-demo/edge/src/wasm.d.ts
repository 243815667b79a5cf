// workerd compiles core modules before the first request.
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
