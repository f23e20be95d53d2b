import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { locale, startLocale } from './text/locale.ts'
import { guardedStorage } from './wallet/index.ts'
import './ui/tokens.css'

startLocale(guardedStorage, navigator.languages)
document.documentElement.lang = locale.language

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
