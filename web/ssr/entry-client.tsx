import '../ui/styles.css'
import { RouterClient } from '@tanstack/react-router/ssr/client'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createRouter } from './router.tsx'

const router = createRouter({ publicUrl: window.location.origin })

// When a page is left, the router stores its position only if it was scrolled since it was rendered. A list that "Show more" made
// longer is scrolled before that.
router.subscribe('onRendered', () => setTimeout(() => document.dispatchEvent(new Event('scroll'))))

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RouterClient router={router} />
    </StrictMode>,
  )
})
