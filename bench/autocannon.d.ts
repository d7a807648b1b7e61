declare module 'autocannon' {
  function autocannon(options: { url: string; connections: number; duration: number }): Promise<{
    requests: { average: number }
    latency: { p50: number }
    non2xx: number
    errors: number
  }>
  export = autocannon
}
