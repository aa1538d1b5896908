// The paths of the plugins as OpenAPI 3.1. A test produces every answer in this list, and
// no others.
const MEANS = {
  200: "the plugin's answer", 400: "the request is not JSON, or names an operation that the plugin does not have", 401: "no key, or an unknown key",
  404: "no such plugin here", 405: "the method is not allowed", 413: "the body is too large", 415: "the body is compressed", 422: "the plugin refused the request",
  501: "there is no Worker for plugins", 502: "the plugin crashed, or its answer is invalid", 503: "the plugins' Worker cannot be reached", 504: "the plugin did too much work and was stopped",
};

const schemaRef = (name) => ({ $ref: `#/components/schemas/${name}` });
const describeResponses = (good, ...others) => Object.fromEntries([200, ...others].map((s) => [s, { description: MEANS[s], content: { "application/json": { schema: s === 200 ? good : schemaRef("Error") } } }]));

/** @param {string[]} names of the plugins @param {number} limit of a body, in bytes */
export function openAPIDocument(names, limit) {
  const away = [401, 405, 501, 503];
  return {
    openapi: "3.1.0",
    info: { title: "Boundcheck plugins", version: "1", license: { name: "Apache-2.0", identifier: "Apache-2.0" }, description: "Sends one request to a plugin. plugins/ABI.md describes the requests and answers." },
    security: [{ key: [] }],
    paths: {
      "/v1/plugins": { get: { summary: "what there is", responses: describeResponses(schemaRef("Plugins"), ...away) } },
      "/v1/plugins/openapi.json": { get: { summary: "this description", responses: describeResponses({ type: "object" }, ...away) } },
      "/v1/plugins/{name}": {
        post: {
          summary: "asks a plugin",
          parameters: [{ name: "name", in: "path", required: true, schema: { type: "string", enum: names } }],
          requestBody: { required: true, description: `up to ${limit} bytes`, content: { "application/json": { schema: schemaRef("Request") } } },
          responses: describeResponses(schemaRef("Answer"), 400, 404, 413, 415, 422, ...away, 502, 504),
        },
      },
    },
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
      schemas: {
        Request: { type: "object", required: ["op"], properties: { op: { type: "string" } } },
        Answer: { type: "object", required: ["ok"], properties: { ok: {} } },
        Plugins: { type: "object", required: ["plugins"], properties: { plugins: { type: "array", items: { type: "object", required: ["name"], description: "the plugin's description of itself, or the reason why it cannot be used" } } } },
        Error: { type: "object", required: ["error"], properties: { error: { type: "object", required: ["code", "message"], properties: { code: { type: "string" }, message: { type: "string" } } } } },
      },
    },
  };
}
