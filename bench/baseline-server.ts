/** The baseline: a Fastify route that only sends a file. `node baseline-server.ts PORT FILE TYPE` */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

const [port, file = '', type = ''] = process.argv.slice(2)
const text = readFileSync(file, 'utf8')
const app = Fastify()
app.get('/*', async (_request, reply) => reply.type(type).send(text))
await app.listen({ port: Number(port), host: '127.0.0.1' })
