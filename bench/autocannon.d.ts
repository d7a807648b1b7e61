declare module 'autocannon' {
  interface Client {
    setHeaders(headers: Record<string, string>): void
  }
  function autocannon(options: {
    url: string
    connections: number
    duration: number
    setupClient?: (client: Client) => void
    requests?: { setupRequest: (request: object) => object }[]
  }): Promise<{
    requests: { average: number; total: number }
    latency: { p50: number; p99: number }
    non2xx: number
    errors: number
  }>
  export = autocannon
}
