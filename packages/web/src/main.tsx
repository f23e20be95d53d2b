import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { locale, startLocale, startTimeZone } from './text/locale.ts'
import { loadTexts } from './text/text.ts'
import { readTheme, showTheme } from './ui/screen/theme.ts'
import { guardedStorage } from './wallet/index.ts'
import './ui/tokens.css'

startLocale(guardedStorage, navigator.languages)
startTimeZone(guardedStorage)
showTheme(readTheme(guardedStorage))
document.documentElement.lang = locale.language

const root = document.getElementById('root')
// English is there already, and nothing is waited for.
if (root) void loadTexts().then(() => createRoot(root).render(<App />))
