import { readFileSync } from 'node:fs'
import './second-look.js'

const USAGE = `A second look at a proposal of a Safe, by code that shares nothing with the page.

  npm run second-look -- FILE                a file that the page saved, or JSON of a Transaction Service
  npm run second-look -- URL                 of a proposal: the page's own, or of a Transaction Service
  zbarimg -q --raw PICTURE | npm run second-look -- -     a QR code

  --chain ID        where the file does not say it
  --version 1.4.1   version of the Safe, where the file does not say it
  --typed-data      prints what is to be signed (EIP-712 JSON), for a signer without a network

COUNTERSIGN_API_TOKEN is sent to the server of COUNTERSIGN_URL alone. Exit code: 0 nothing serious, 1 something high or critical, 2 not read.`

const MAX_ANSWER = 1_000_000

/** @param {string[]} args */
function parseArguments(args) {
  const options = { chainId: undefined, version: undefined, isTypedData: false, source: '' }
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '--chain') options.chainId = args[++at]
    else if (args[at] === '--version') options.version = args[++at]
    else if (args[at] === '--typed-data') options.isTypedData = true
    else if (options.source !== '' || args[at].startsWith('--')) return null
    else options.source = args[at]
  }
  return options.source === '' ? null : options
}

/** Reads the proposal, and what its address names of it: whoever answers may answer with another one. */
async function read(source) {
  if (!/^https?:/.test(source)) return { text: readFileSync(source === '-' ? 0 : source, 'utf8'), named: {} }
  const url = new URL(source)
  const page = /^\/safes\/(\d+)\/(0x[0-9a-fA-F]{40})\/(transaction|message)s\/(0x[0-9a-fA-F]{64})/.exec(url.pathname)
  if (page) {
    const list = page[3] === 'transaction' ? 'multisig-transactions' : 'messages'
    url.pathname = `/tx-service/${page[1]}/api/v1/${list}/${page[4]}/`
  }
  const named = {
    chainId: /\/tx-service\/(\d+)\//.exec(url.pathname)?.[1],
    safe: page?.[2],
    hash: /\/(?:multisig-transactions|messages)\/(0x[0-9a-fA-F]{64})/.exec(url.pathname)?.[1],
  }
  // Whoever writes the address must not get the token by it.
  const { COUNTERSIGN_API_TOKEN: token, COUNTERSIGN_URL: server } = process.env
  const isItsServer = token && server && new URL(server).origin === url.origin
  const headers = { accept: 'application/json', ...(isItsServer ? { authorization: `Bearer ${token}` } : {}) }
  const answer = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(20_000) })
  if (!answer.ok) throw new Error(`${url.host} answered ${answer.status}.`)
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_ANSWER) throw new Error(`${url.host} answered more than a proposal.`)
  }
  return { text, named }
}

async function main() {
  const args = process.argv.slice(2)
  const options = parseArguments(args)
  if (options === null) {
    console.log(USAGE)
    process.exitCode = args[0] === '--help' ? 0 : 2
    return
  }
  const { look, report, visible } = globalThis.secondLook
  try {
    const { source, chainId, version, isTypedData } = options
    const { text, named } = await read(source)
    if (chainId !== undefined && named.chainId !== undefined && chainId !== named.chainId)
      throw new Error(`The address is of the chain ${named.chainId}, not of ${chainId}.`)
    const seen = look(text, { ...named, chainId: chainId ?? named.chainId, version })
    console.log(isTypedData ? JSON.stringify(seen.typedData, null, 2) : report(seen).join('\n'))
    process.exitCode = seen.findings.some(({ level }) => level !== 'note') ? 1 : 0
  } catch (error) {
    // It may repeat what a stranger wrote.
    console.error(visible(error instanceof Error ? error.message : String(error)))
    process.exitCode = 2
  }
}

await main()
