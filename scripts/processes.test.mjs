import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { node26 } from './processes.mjs'

const fixture = join(import.meta.dirname, 'processes.fixture.mjs')

let folder
let log
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reelmark-run-'))
  log = join(folder, 'log')
})
afterEach(async () => {
  await expect.poll(isRunning).toBe(false)
  rmSync(folder, { recursive: true })
})

const logLines = () => {
  try {
    return readFileSync(log, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}
const pids = () => logLines().flatMap((line) => /^server (\d+)/.exec(line)?.[1] ?? [])
const isRunning = () => {
  try {
    process.kill(Number(pids().at(-1)), 0)
    return true
  } catch {
    return false
  }
}

describe('a server process', () => {
  async function start(...command) {
    const [program, ...args] = command.length > 0 ? command : [process.execPath, fixture, 'starter', log]
    const child = spawn(program, args, {
      stdio: 'ignore',
      env: { ...process.env, npm_lifecycle_event: 'start' },
    })
    await expect.poll(logLines).toHaveLength(1)
    return child
  }

  it('stops gracefully on SIGTERM to the starter, which exits with the same code', async () => {
    const starter = await start()
    starter.kill('SIGTERM')
    expect((await once(starter, 'exit'))[0]).toBe(7)
    expect(logLines().slice(1)).toEqual(['SIGTERM'])
  })

  it('gets a single SIGINT if both the terminal and npm send one', async () => {
    const starter = await start()
    starter.kill('SIGINT')
    setTimeout(() => starter.kill('SIGINT'), 50)
    expect((await once(starter, 'exit'))[0]).toBe(7)
    expect(logLines().slice(1)).toEqual(['SIGINT'])
  })

  it('stops when the starter is killed', async () => {
    const starter = await start()
    starter.kill('SIGKILL')
    await expect.poll(() => logLines().slice(1)).toEqual(['disconnect'])
  })

  it('stops when only the parent of the starter dies, such as a shell started by npm', async () => {
    // The second command prevents the shell from replacing itself with the first one.
    const shell = await start('/bin/sh', '-c', `"${process.execPath}" "${fixture}" starter "${log}"; true`)
    shell.kill('SIGTERM')
    await expect.poll(() => logLines().slice(1)).toEqual(['SIGTERM'])
  })
})

describe('a server that is run with restarts', () => {
  let supervisor
  beforeEach(async () => {
    supervisor = spawn(process.execPath, [fixture, 'supervisor', log], { stdio: 'ignore' })
    await expect.poll(pids).toHaveLength(1)
  })

  it('is restarted each time it is killed, and stops on SIGTERM to its supervisor', async () => {
    for (let starts = 1; starts <= 3; starts++) {
      process.kill(Number(pids().at(-1)), 'SIGKILL')
      await expect.poll(pids).toHaveLength(starts + 1)
    }
    supervisor.kill('SIGTERM')
    expect((await once(supervisor, 'exit'))[0]).toBe(7)
    expect(logLines().at(-1)).toBe('SIGTERM')
  })

  it('is not restarted when it exits by itself', async () => {
    process.kill(Number(pids()[0]), 'SIGTERM')
    expect((await once(supervisor, 'exit'))[0]).toBe(7)
    expect(pids()).toHaveLength(1)
  })
})

describe('the Node that runs the product', () => {
  it('is 26', async () => {
    const child = spawn(node26(), ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [version] = await once(child.stdout, 'data')
    expect(version.toString()).toMatch(/^v26\./)
  })
})
