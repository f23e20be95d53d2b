/**
 * Characters that pass for a Latin letter or a digit, each group written as what it passes for. Own selection of what
 * imitates token symbols, after the idea of skeletons in Unicode TS 39.
 */
const lookAlikes: Record<string, string> = {
  a: 'аɑαạ',
  b: 'ЬƄьḅ',
  c: 'сϲⅽ',
  d: 'ԁⅾɗ',
  e: 'еҽєε℮',
  f: 'ғƒ',
  g: 'ɡցǥ',
  h: 'һհн',
  i: 'іıɩιӏ1lⅼ|!ǀ',
  j: 'јϳ',
  k: 'кκ',
  m: 'мⅿ',
  n: 'ոпη',
  o: 'оοօ0σ๐',
  p: 'рρ',
  q: 'ԛգ',
  r: 'гꭇ',
  s: 'ѕꜱ5$',
  t: 'тτ',
  u: 'υսцʋ',
  v: 'ѵνⅴ',
  w: 'ԝшω',
  x: 'хχⅹ×',
  y: 'уүγ',
  z: 'ᴢζ2',
}

/** Capitals that pass for another letter than their small form does: Greek, Cyrillic, Cherokee, Lisu. */
const capitals: Record<string, string> = {
  a: 'ΑАᎪꓮ',
  b: 'ΒВᏴꓐ',
  c: 'СϹᏟꓚ',
  d: 'ᎠꓓⅮ',
  e: 'ΕЕᎬꓰ',
  f: 'ϜꓝᎨ',
  g: 'ԌᏀꓖ',
  h: 'ΗНᎻꓧ',
  i: 'ΙІӀᏞᏆꓲꓡ',
  j: 'ЈᎫꓙͿ',
  k: 'ΚКᏦꓗ',
  m: 'ΜМᎷꓟ',
  n: 'Νꓠ',
  o: 'ΟОՕꓳ',
  p: 'ΡРᏢꓑ',
  q: 'Ԛ',
  r: 'ᎡᏒꓣ',
  s: 'ЅᏚꓢՏ',
  t: 'ΤТᎢꓔ',
  u: 'ՍꓴԱ',
  v: 'ѴᏙꓦ',
  w: 'ᎳԜꓪ',
  x: 'ΧХꓫ',
  y: 'ΥҮУꓬ',
  z: 'ΖᏃꓜ',
}

/** Small capitals, which have no capital of their own. */
const smallCapitals: Record<string, string> = {
  a: 'ᴀ',
  b: 'ʙв',
  c: 'ᴄ',
  d: 'ᴅ',
  e: 'ᴇ',
  f: 'ꜰ',
  g: 'ɢ',
  h: 'ʜ',
  i: 'ɪʟ',
  j: 'ᴊ',
  k: 'ᴋĸ',
  m: 'ᴍ',
  n: 'ɴ',
  o: 'ᴏ',
  p: 'ᴘ',
  r: 'ʀ',
  t: 'ᴛ',
  u: 'ᴜ',
  v: 'ᴠ',
  w: 'ᴡ',
  y: 'ʏ',
}

const latin = new Map([
  ...entriesOf(lookAlikes).map(([other, letter]): [string, string] => [other.toLowerCase(), letter]),
  ...entriesOf(smallCapitals),
  ...entriesOf(capitals),
])

function entriesOf(table: Record<string, string>): [string, string][] {
  return Object.entries(table).flatMap(([letter, others]) =>
    [...others].map((other): [string, string] => [other, letter]),
  )
}

/**
 * Reduces a name to its look: marks, spaces and hidden characters gone, everything that passes for Latin made Latin.
 *
 * @example
 * skeletonOf('ＵＳＤС') // 'usdc'
 */
export function skeletonOf(name: string): string {
  const plain = name
    .slice(0, 256)
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}\p{S}\p{P}]/gu, '')
  return [...plain]
    .map((character) => latin.get(character) ?? latin.get(character.toLowerCase()) ?? character.toLowerCase())
    .join('')
}
