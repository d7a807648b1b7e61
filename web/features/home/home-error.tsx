import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Replaces the home page of a signed-in user that failed to load. */
export function HomeError({ onRetry }: { onRetry: () => void }) {
  return (
    <EmptyState title="Couldn't load your home page" text="This is usually temporary. Try again.">
      <Button tone="accent" onClick={onRetry}>
        Try again
      </Button>
    </EmptyState>
  )
}
