import { parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { compileAbis } from '../compile-abis.mjs'

describe('compileAbis', () => {
  test('default: each ABI of a module is what it would be parsed to, with comments between its texts', () => {
    const nonce = 'function nonce() view returns (uint256)'
    const moved = 'event Moved(address indexed from, (uint256 amount, bytes note)[] parts)'
    const code = `const one = parseAbi(['${nonce}'])\nconst two = parseAbi([\n  // It's of 1.3.0.\n  '${nonce}',\n  '${moved}',\n])`
    const read = new Function(`${compileAbis(code)}\nreturn { one, two }`)
    expect(read()).toEqual({ one: parseAbi([nonce]), two: parseAbi([nonce, moved]) })
  })

  test.each(['parseAbi(texts)', 'parseAbi([...texts])', "parseAbi(['function'])"])('error: %s', (code) => {
    expect(() => compileAbis(`const abi = ${code}`)).toThrow()
  })
})
