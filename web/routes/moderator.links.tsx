import { createFileRoute } from '@tanstack/react-router'
import { LinksPage } from '../features/moderation/links/links-page.tsx'

export const Route = createFileRoute('/moderator/links')({ component: LinksPage })
