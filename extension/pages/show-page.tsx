import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { productName } from '../names.ts'
import './styles.css'

/** Shows a page of the extension. `title` is that of its document, before the name of the product. */
export function showPage(title: string, page: ReactNode): void {
  document.title = `${title} – ${productName}`
  const root = document.getElementById('root')
  if (root === null) throw new Error('the document has no root')
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>{page}</QueryClientProvider>
    </StrictMode>,
  )
}
