import type { Outbound } from '../../../core/outbound/outbound.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { type HealthSource, healthSources } from './host-sources.ts'
import { combineOutcomes, isFailure, isProof, type Outcome } from './outcome.ts'
import { type HealthResponse, readError } from './read-response.ts'

/** YouTube's pages have more than a megabyte. */
const maxBytes = 4 * 1024 * 1024

/**
 * Asks the host of a link whether its video is available, with one to three requests. The first response that proves it
 * or asks for a login ends the check. A failure is confirmed by the other source, or else by asking the same one again.
 * @param onAvailable called with the response that says that the video is available
 */
export async function checkVideo(
  outbound: Pick<Outbound, 'get'>,
  sourceUrl: string,
  onAvailable: (response: HealthResponse) => void = () => {},
): Promise<Outcome> {
  const outcomes: Outcome[] = []
  let failedSource: HealthSource | null = null
  for (const source of healthSources(sourceUrl)) {
    const outcome = await askSource(outbound, source, onAvailable)
    outcomes.push(outcome)
    if (isProof(outcome) || outcome === 'login-required') return combineOutcomes(outcomes)
    if (isFailure(outcome)) failedSource ??= source
  }
  if (outcomes.filter(isFailure).length === 1 && failedSource !== null) {
    outcomes.push(await askSource(outbound, failedSource, onAvailable))
  }
  return combineOutcomes(outcomes)
}

async function askSource(
  outbound: Pick<Outbound, 'get'>,
  source: HealthSource,
  onAvailable: (response: HealthResponse) => void,
): Promise<Outcome> {
  try {
    const accept = 'application/json,text/html;q=0.9,*/*;q=0.8'
    const response = await outbound.get(source.url, { accept, maxBytes })
    const outcome = source.read(response)
    if (outcome === 'available') onAvailable(response)
    return outcome
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return readError(error.reason)
  }
}
