/** Boots the server on a database of its own, for tests that call it over HTTP. */
import { type CallResponse, call, type Transport } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import type { ServerKeys } from '../core/auth/server-keys.ts'
import { connect, type Sql } from '../core/database/database.ts'
import type { Settings } from '../core/settings.ts'
import { type LogLine, openServices, type ServiceOptions } from './services.ts'
import { createTestDatabase, slowTimeouts } from './test-database.ts'

export interface TestApp {
  app: FastifyInstance
  /** Connections of the owner of the tables, for what tests prepare and check. The server uses the application's role. */
  db: Sql
  databaseUrl: string
  settings: Settings
  serverKeys: ServerKeys
  /** The lines logged so far, parsed. */
  log: LogLine[]
  /** Every SQL statement sent since the last `statements.length = 0`. */
  statements: string[]
  /** Calls an endpoint as the owner of the access token, or as a visitor; throws CallError unless it succeeds. */
  call<E extends Endpoint>(endpoint: E, input: Input<E>, as?: { access: string } | null): Promise<Reply<E>>
  /** Closes everything. Throws if the server logged an error that the test did not remove from `log`. */
  close(): Promise<void>
}

/** Boots with rate limits off unless `options.settings` turns them on. */
export async function bootApp(options: ServiceOptions = {}): Promise<TestApp> {
  const database = await createTestDatabase()
  const { deps, logLines, statements, close } = await openServices(database.appUrl, options)
  const db = connect(database.url, {
    ...slowTimeouts,
    max: 10,
    applicationName: 'test',
    onQuery: (text) => statements.push(text),
  })
  const app = await buildApp(deps)
  await app.ready()

  return {
    app,
    db,
    databaseUrl: database.url,
    settings: deps.settings,
    serverKeys: deps.serverKeys,
    log: logLines,
    statements,
    call: (endpoint, input, as = null) =>
      call(
        injectTransport(app),
        endpoint,
        input,
        as === null ? {} : { authorization: `Bearer ${as.access}` },
      ),
    async close() {
      await app.close()
      await close()
      await db.end({ timeout: 5 })
      await database.drop()
      const errors = logLines.filter((line) => line.level >= 50)
      if (errors.length > 0) throw new Error(`logged errors: ${JSON.stringify(errors).slice(0, 4000)}`)
    },
  }
}

/** Returns a transport that injects requests into the app without a network. */
function injectTransport(app: FastifyInstance): Transport {
  return async ({ method, url, headers, body }): Promise<CallResponse> => {
    const response = await app.inject({ method, url, headers, ...(body === null ? {} : { payload: body }) })
    const header = (name: string) => response.headers[name.toLowerCase()]
    return {
      status: response.statusCode,
      headers: { get: (name) => (header(name) === undefined ? null : String(header(name))) },
      body: response.body === '' ? null : JSON.parse(response.body),
    }
  }
}
