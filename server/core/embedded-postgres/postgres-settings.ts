import os from 'node:os'

const megabyte = 2 ** 20

/** Returns the memory of the machine, or of the container if it has less. */
function availableMemory(): number {
  // 0 if unknown, and more than the machine has without a limit.
  return Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, os.totalmem())
}

/**
 * Returns how much memory the database uses for its cache, and how much the planner may expect the system to cache, in
 * proportion to `bytes`, the memory of the machine. The other seven eighths are for the site and the system's cache.
 */
export function memorySettings(bytes = availableMemory()) {
  const share = (divisor: number, min: number, max: number) =>
    `${Math.min(Math.max(Math.floor(bytes / megabyte / divisor), min), max)}MB`
  return { shared_buffers: share(8, 128, 4096), effective_cache_size: share(2, 512, 65_536) }
}

/** Settings for data that is never read after a crash. Compression alone took 90 ms for each test's database. */
const nonDurableSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  autovacuum: 'off',
  // The tests' cluster is kept in memory.
  max_wal_size: '256MB',
  shared_buffers: '192MB',
}

/** Returns the settings of an embedded server besides those of its connections. */
export function serverSettings(durable: boolean): Record<string, string | number> {
  return {
    max_connections: 100,
    ...memorySettings(),
    work_mem: '8MB',
    maintenance_work_mem: '128MB',
    random_page_cost: 1.1,
    max_wal_size: '2GB',
    wal_compression: 'on',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The log contains no parameters of statements, also if an operator logs slow ones.
    log_parameter_max_length: 0,
    // One system call for the whole file system before a recovery, instead of one for each file.
    ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
    ...(durable ? {} : nonDurableSettings),
  }
}
