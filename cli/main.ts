#!/usr/bin/env node
/** `reelmark`: the command-line client. */
import { runCommandLine } from './run-command-line.ts'

// Set instead of exiting, so that the output is written completely.
process.exitCode = await runCommandLine(process.argv.slice(2), process)
