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

const said = () => {
  try {
    return readFileSync(log, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}
const pids = () => said().flatMap((line) => /^server (\d+)/.exec(line)?.[1] ?? [])
const isRunning = () => {
  try {
    process.kill(Number(pids().at(-1)), 0)
    return true
  } catch {
    return false
  }
}

describe('a server that is run for life', () => {
  async function start(...command) {
    const [program, ...args] = command.length > 0 ? command : [process.execPath, fixture, 'starter', log]
    const child = spawn(program, args, {
      stdio: 'ignore',
      env: { ...process.env, npm_lifecycle_event: 'start' },
    })
    await expect.poll(said).toHaveLength(1)
    return child
  }

  it('stops gracefully on SIGTERM to the starter, which ends with its exit code', async () => {
    const starter = await start()
    starter.kill('SIGTERM')
    expect((await once(starter, 'exit'))[0]).toBe(7)
    expect(said().slice(1)).toEqual(['SIGTERM'])
  })

  it('gets one SIGINT where terminal and npm both send it', async () => {
    const starter = await start()
    starter.kill('SIGINT')
    setTimeout(() => starter.kill('SIGINT'), 50)
    expect((await once(starter, 'exit'))[0]).toBe(7)
    expect(said().slice(1)).toEqual(['SIGINT'])
  })

  it('notices that the starter was killed, and stops', async () => {
    const starter = await start()
    starter.kill('SIGKILL')
    await expect.poll(() => said().slice(1)).toEqual(['disconnect'])
  })

  it('stops when only what started the starter dies, as a shell that npm put in between', async () => {
    // The second command keeps the shell from replacing itself by the first.
    const shell = await start('/bin/sh', '-c', `"${process.execPath}" "${fixture}" starter "${log}"; true`)
    shell.kill('SIGTERM')
    await expect.poll(() => said().slice(1)).toEqual(['SIGTERM'])
  })
})

describe('a server that is kept running', () => {
  let keeper
  beforeEach(async () => {
    keeper = spawn(process.execPath, [fixture, 'keeper', log], { stdio: 'ignore' })
    await expect.poll(pids).toHaveLength(1)
  })

  it('starts again when it is killed, again and again, and ends when it is asked to', async () => {
    for (let starts = 1; starts <= 3; starts++) {
      process.kill(Number(pids().at(-1)), 'SIGKILL')
      await expect.poll(pids).toHaveLength(starts + 1)
    }
    keeper.kill('SIGTERM')
    expect((await once(keeper, 'exit'))[0]).toBe(7)
    expect(said().at(-1)).toBe('SIGTERM')
  })

  it('does not start again when it ended by its own decision', async () => {
    process.kill(Number(pids()[0]), 'SIGTERM')
    expect((await once(keeper, 'exit'))[0]).toBe(7)
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
