// openapi.json, the source of paths, shapes and defaults.
import { type Schema, Validator } from "@cfworker/json-schema";
import openapi from "../openapi.json";
import { ERRORS } from "./limits";
import { type Misfit, Problem } from "./problem";
import type { Bounds, Settings } from "./requests";

interface Operation {
  operationId: string;
  /** Those of the query. */
  parameters?: Array<{ name: string }>;
  requestBody?: { content: { "application/json": { schema: { $ref: string } } } };
}

const { schemas } = openapi.components;

/** The paths with their methods. */
export const paths = Object.entries(openapi.paths) as unknown as Array<[string, Record<string, Operation>]>;

/** The default values. */
export const defaults = {
  bounds: defaultsOf(schemas.Bounds) as unknown as Bounds,
  settings: defaultsOf(schemas.Settings) as unknown as Settings,
};

/** The description with the known dialects and releases. */
export function described(dialects: string[]): unknown {
  const dialect = { ...schemas.Dialect, enum: dialects };
  return { ...openapi, components: { ...openapi.components, schemas: { ...schemas, Dialect: dialect } } };
}

/** Validates a request with the schema of its operation. */
export function validator(operation: Operation): ((given: unknown) => void) | undefined {
  const schema = operation.requestBody?.content["application/json"].schema;
  if (!schema) return undefined;
  let validator: Validator | undefined;
  return (given) => {
    validator ??= new Validator({ ...schema, components: openapi.components } as Schema, "2020-12", true);
    const { valid, errors } = validate(validator, given);
    if (!valid) throw new Problem(422, "unfit", "the body does not match the schema in `/openapi.json`", { errors: misfits(errors) });
  };
}

/** The validator encodes keys as URIs, which requires valid Unicode. */
function validate(validator: Validator, given: unknown): ReturnType<Validator["validate"]> {
  try {
    return validator.validate(given);
  } catch (error) {
    if (error instanceof URIError) throw new Problem(422, "unfit", "a key in the body contains a lone surrogate");
    throw error;
  }
}

/** Keywords whose errors only repeat an error of a nested value. */
const AROUND = new Set(["$ref", "properties", "items", "additionalProperties", "propertyNames", "oneOf", "anyOf"]);

function misfits(errors: Array<{ keyword: string; instanceLocation: string; error: string }>): Misfit[] {
  const found = errors.map(({ keyword, instanceLocation, error }) => ({
    keyword,
    pointer: decodeURI(instanceLocation.slice(1)),
    detail: keyword === "false" ? "Unknown key." : error,
  }));
  const deepest = found.filter(({ keyword }) => !AROUND.has(keyword));
  return (deepest.length > 0 ? deepest : found).slice(0, ERRORS).map(({ pointer, detail }) => ({ pointer, detail }));
}

function defaultsOf({ properties }: { properties: Record<string, object> }): Record<string, unknown> {
  const stated = Object.entries(properties).filter(([, property]) => "default" in property);
  return Object.fromEntries(stated.map(([key, property]) => [key, (property as { default: unknown }).default]));
}
