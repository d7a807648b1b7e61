import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { node26 } from './processes.mjs'

const fixture = join(import.meta.dirname, 'processes.fixture.mjs')

describe('a server started with serverForLife', () => {
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

  const readLog = () => {
    try {
      return readFileSync(log, 'utf8').trim().split('\n')
    } catch {
      return []
    }
  }
  const isRunning = () => {
    try {
      process.kill(Number(readLog()[0]?.split(' ')[1]), 0)
      return true
    } catch {
      return false
    }
  }
  async function start(...command) {
    const [program, ...args] = command.length > 0 ? command : [process.execPath, fixture, 'starter', log]
    const child = spawn(program, args, {
      stdio: 'ignore',
      env: { ...process.env, npm_lifecycle_event: 'start' },
    })
    await expect.poll(readLog).toHaveLength(1)
    return child
  }

  it('stops gracefully on SIGTERM, and the starter ends with its exit code', async () => {
    const starter = await start()
    starter.kill('SIGTERM')
    expect((await once(starter, 'exit'))[0]).toBe(7)
    expect(readLog().slice(1)).toEqual(['SIGTERM'])
  })

  it('gets a single SIGINT if both the terminal and npm send one', async () => {
    const starter = await start()
    starter.kill('SIGINT')
    setTimeout(() => starter.kill('SIGINT'), 50)
    expect((await once(starter, 'exit'))[0]).toBe(7)
    expect(readLog().slice(1)).toEqual(['SIGINT'])
  })

  it('stops when the starter is killed', async () => {
    const starter = await start()
    starter.kill('SIGKILL')
    await expect.poll(() => readLog().slice(1)).toEqual(['disconnect'])
  })

  it('stops when the parent of the starter is killed, for example the shell that npm uses', async () => {
    // The second command prevents the shell from replacing itself with the first.
    const shell = await start('/bin/sh', '-c', `"${process.execPath}" "${fixture}" starter "${log}"; true`)
    shell.kill('SIGTERM')
    await expect.poll(() => readLog().slice(1)).toEqual(['SIGTERM'])
  })
})

describe('node26', () => {
  it('returns a Node of version 26', async () => {
    const child = spawn(node26(), ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [version] = await once(child.stdout, 'data')
    expect(version.toString()).toMatch(/^v26\./)
  })
})
