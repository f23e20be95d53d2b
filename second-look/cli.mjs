import { readFileSync } from 'node:fs'
import './second-look.js'

const USAGE = `A second look at a proposal of a Safe, by code that shares nothing with the page.

  npm run second-look -- FILE                a file that the page saved, or JSON of a Transaction Service
  npm run second-look -- URL                 of a proposal: the page's own, or of a Transaction Service
  zbarimg -q --raw PICTURE | npm run second-look -- -     a QR code

  --chain ID        where the file does not say it
  --version 1.4.1   version of the Safe, where the file does not say it
  --typed-data      prints what is to be signed (EIP-712 JSON), for a signer without a network

COUNTERSIGN_API_TOKEN is sent to the host of the URL. Exit code: 0 nothing serious, 1 something high or critical, 2 not read.`

/** @param {string[]} args */
function parseArguments(args) {
  const options = { chainId: undefined, version: undefined, isTypedData: false, source: '' }
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '--chain') options.chainId = args[++at]
    else if (args[at] === '--version') options.version = args[++at]
    else if (args[at] === '--typed-data') options.isTypedData = true
    else options.source = args[at] ?? ''
  }
  return options
}

/** Reads the proposal, and the chain that the address of a Transaction Service names. */
async function read(source) {
  if (!/^https?:/.test(source)) return { text: readFileSync(source === '-' ? 0 : source, 'utf8') }
  const url = new URL(source)
  const page = /^\/safes\/(\d+)\/0x[0-9a-fA-F]{40}\/(transaction|message)s\/(0x[0-9a-fA-F]{64})/.exec(url.pathname)
  if (page) {
    const list = page[2] === 'transaction' ? 'multisig-transactions' : 'messages'
    url.pathname = `/tx-service/${page[1]}/api/v1/${list}/${page[3]}/`
  }
  const token = process.env.COUNTERSIGN_API_TOKEN
  const headers = { accept: 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  const answer = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(20_000) })
  if (!answer.ok) throw new Error(`${url.host} answered ${answer.status}.`)
  return { text: await answer.text(), chainId: /\/tx-service\/(\d+)\//.exec(url.pathname)?.[1] }
}

async function main() {
  const { source, chainId, version, isTypedData } = parseArguments(process.argv.slice(2))
  if (source === '' || source === '--help') {
    console.log(USAGE)
    process.exitCode = source === '' ? 2 : 0
    return
  }
  try {
    const found = await read(source)
    const seen = globalThis.secondLook.look(found.text, { chainId: chainId ?? found.chainId, version })
    console.log(isTypedData ? JSON.stringify(seen.typedData, null, 2) : globalThis.secondLook.report(seen).join('\n'))
    process.exitCode = seen.findings.some(({ level }) => level !== 'note') ? 1 : 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 2
  }
}

await main()
