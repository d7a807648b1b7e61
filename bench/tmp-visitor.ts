import autocannon from 'autocannon'
import { openBenchDatabase } from './bench-database.ts'
import { openBenchServers } from './bench-servers.ts'
import { cpuTime } from './cpu-time.ts'
import { median } from './statistics.ts'
const db = await openBenchDatabase(Number(process.argv[2] ?? 50000))
const servers = openBenchServers()
try {
  const site = await servers.startSite(db.url, { NODE_ENV: 'test', WORKERS: '1' })
  for (const path of ['/api/videos/', '/api/videos/?user=person3']) for (const encoding of ['', 'br']) {
    const base = await servers.startBaseline(await fetch(site.url + path))
    const run = async (server: typeof site, url: string, duration: number) => {
      const before = cpuTime(server.pid)
      const r = await autocannon({ url, connections: 20, duration, headers: encoding ? { 'accept-encoding': encoding } : {} })
      return { rps: r.requests.average, cpu: (cpuTime(server.pid) - before) / r.requests.total * 1e6 }
    }
    await run(site, site.url + path, 3); await run(base, base.url, 2)
    const ratios: number[] = [], cpus: number[] = []
    for (let n = 0; n < 3; n++) { const b = await run(base, base.url, 3); const s = await run(site, site.url + path, 3); ratios.push(s.rps / b.rps); cpus.push(b.cpu / s.cpu) ; console.log(path, encoding, b, s) }
    console.log(path, encoding, 'median', median(ratios).toFixed(3), 'by cpu', median(cpus).toFixed(3))
  }
} finally { await servers.stop(); await db.stop() }
