import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, makeDataPath, startBrowser, startProduct } from '@countersign/e2e'
import { type Entry, type Measurement, median } from '../entry.ts'

const runs = 3

/** From the start of the launcher, installed and built, until a person can press "Connect". */
export const start: Entry = {
  name: 'start',
  about: 'start of the launcher to a usable page, beside a bare Node HTTP server',
  async run() {
    const browser = await startBrowser()
    const first: number[] = []
    const later: number[] = []
    const bare: number[] = []
    async function usable(url: string): Promise<void> {
      const page = await browser.newPage()
      await page.goto(url)
      await page.getByRole('button').first().waitFor()
      await page.close()
    }
    async function startOnce(dataPath: string): Promise<number> {
      const started = performance.now()
      const product = await startProduct({ dataPath })
      await usable(product.url)
      const took = performance.now() - started
      await product.stop()
      return took
    }
    try {
      for (let run = 0; run < runs; run++) {
        const dataPath = makeDataPath()
        first.push(await startOnce(dataPath))
        later.push(await startOnce(dataPath))
        rmSync(dataPath, { recursive: true, force: true })
        bare.push(await startBareServer(usable))
      }
    } finally {
      await browser.close()
    }
    const peer = { what: 'bare node:http server, one button', value: median(bare) }
    return [
      { what: 'first start, devnet included', value: median(first), unit: 'ms', peer, goal: atMost(5000) },
      { what: 'later start on the same data', value: median(later), unit: 'ms', peer },
    ] satisfies Measurement[]
  },
}

function atMost(value: number) {
  return { value, isAtMost: true }
}

async function startBareServer(usable: (url: string) => Promise<void>): Promise<number> {
  const port = await freePort()
  const started = performance.now()
  const script = `require('node:http').createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>bare</title><button>Connect</button>')
  }).listen(${port}, '127.0.0.1')`
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
  try {
    const url = `http://127.0.0.1:${port}`
    while (!(await answers(url))) await sleep(5)
    await usable(url)
    return performance.now() - started
  } finally {
    child.kill('SIGTERM')
  }
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
