// openapi.json: the one source of paths, shapes and defaults.
import { type Schema, Validator } from "@cfworker/json-schema";
import openapi from "../openapi.json";
import { ERRORS } from "./limits";
import { type Misfit, Problem } from "./problem";
import type { Bounds, Settings } from "./requests";

interface Operation {
  operationId: string;
  requestBody?: { content: { "application/json": { schema: { $ref: string } } } };
}

const { schemas } = openapi.components;

/** The paths with their methods. */
export const paths = Object.entries(openapi.paths) as unknown as Array<[string, Record<string, Operation>]>;

/** What holds where a request does not say it. */
export const defaults = {
  bounds: defaultsOf(schemas.Bounds) as unknown as Bounds,
  settings: defaultsOf(schemas.Settings) as unknown as Settings,
};

/** The description with the dialects and releases that there are. */
export function described(dialects: string[]): unknown {
  const dialect = { ...schemas.Dialect, enum: dialects };
  return { ...openapi, components: { ...openapi.components, schemas: { ...schemas, Dialect: dialect } } };
}

/** Holds what an operation is given against its schema. */
export function validator(operation: Operation): ((given: unknown) => void) | undefined {
  const schema = operation.requestBody?.content["application/json"].schema;
  if (!schema) return undefined;
  let validator: Validator | undefined;
  return (given) => {
    validator ??= new Validator({ ...schema, components: openapi.components } as Schema, "2020-12", true);
    const { valid, errors } = validate(validator, given);
    if (!valid) throw new Problem(422, "unfit", "the body is not as `/openapi.json` describes it", { errors: misfits(errors) });
  };
}

/** The validator makes addresses of keys, which have to be Unicode for that. */
function validate(validator: Validator, given: unknown): ReturnType<Validator["validate"]> {
  try {
    return validator.validate(given);
  } catch (error) {
    if (error instanceof URIError) throw new Problem(422, "unfit", "a key in the body holds half of a surrogate pair");
    throw error;
  }
}

/** Keywords that only say that something below does not fit. */
const AROUND = new Set(["$ref", "properties", "items", "additionalProperties", "propertyNames", "oneOf", "anyOf"]);

function misfits(errors: Array<{ keyword: string; instanceLocation: string; error: string }>): Misfit[] {
  const found = errors.map(({ keyword, instanceLocation, error }) => ({
    keyword,
    pointer: decodeURI(instanceLocation.slice(1)),
    detail: keyword === "false" ? "There is no such key." : error,
  }));
  const deepest = found.filter(({ keyword }) => !AROUND.has(keyword));
  return (deepest.length > 0 ? deepest : found).slice(0, ERRORS).map(({ pointer, detail }) => ({ pointer, detail }));
}

function defaultsOf({ properties }: { properties: Record<string, object> }): Record<string, unknown> {
  const stated = Object.entries(properties).filter(([, property]) => "default" in property);
  return Object.fromEntries(stated.map(([key, property]) => [key, (property as { default: unknown }).default]));
}
