import { Progress } from '../../../ui/progress.tsx'

const text = "Checking you're human…"

/**
 * Shows the progress of a challenge that the form solves. The element that announces it is always there, because screen
 * readers announce only changes.
 * @param solved in percent; null while no challenge is being solved.
 */
export function ChallengeProgress({ solved }: { solved: number | null }) {
  return (
    <>
      <p role="status" className="sr-only">
        {solved === null ? '' : text}
      </p>
      {solved !== null && <Progress inPercent label={text} done={solved} total={100} />}
    </>
  )
}
