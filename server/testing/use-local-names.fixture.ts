/** Preloaded into the processes of a server under test: they resolve names with the name server NAME_SERVER. */
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

const { NAME_SERVER } = process.env
const SystemResolver = dns.Resolver

dns.Resolver = class extends SystemResolver {
  constructor(...options: ConstructorParameters<typeof SystemResolver>) {
    super(...options)
    if (NAME_SERVER !== undefined) this.setServers([NAME_SERVER])
  }
}
syncBuiltinESMExports()
