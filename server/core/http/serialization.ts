import fastJson from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'

type Serialize = (value: unknown) => string

/** Shared by all servers of a process, because the tests start many with the same contract. */
const serializers = new WeakMap<object, Serialize>()

/**
 * Compiles the serializer of a response when it is first sent. Compiling those of all endpoints took half of the time
 * in which a server starts.
 */
export function registerSerialization(app: FastifyInstance): void {
  app.setSerializerCompiler(
    ({ schema }) =>
      (value: unknown) =>
        getSerializer(schema as object)(value),
  )
}

/** Returns the function that serializes the values of a schema. */
export function getSerializer(schema: object): Serialize {
  let serialize = serializers.get(schema)
  if (serialize === undefined) {
    serialize = fastJson(schema)
    serializers.set(schema, serialize)
  }
  return serialize
}
