// A page of the reference, read from the Markdown that typedoc writes: its text, and its members with signatures, access, parameters.
// Getters and setters become properties. Out: the page as Markdown again, by groups, and as HTML, members folded.
import { encode, highlight, render, slugify } from './markdown.mjs';

/** Sections of a page whose entries are members. */
const SECTIONS = {
  Constructors: 'Create',
  Properties: 'Properties',
  'Type Declaration': 'Properties',
  Accessors: 'Properties',
  Methods: 'Methods',
};
/** More members than that are folded. */
const MOST_OPEN = 12;

/** Cuts a text at headings of one level, not those in code: `[heading, text]`, the first with heading ''. */
function cutAt(text, level) {
  const mark = `${'#'.repeat(level)} `;
  const parts = [['', []]];
  let code = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) code = !code;
    if (!code && line.startsWith(mark)) parts.push([line.slice(mark.length), []]);
    else parts.at(-1)[1].push(line);
  }
  return parts.map(([title, lines]) => [title, lines.join('\n').trim()]);
}

/** Rows of a Markdown table as objects by the names of its columns, lower case. */
function readTable(text) {
  const [head, , ...rows] = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.slice(1, line.lastIndexOf('|')).split(/(?<!\\)\|/));
  const names = head.map((name) => name.trim().toLowerCase());
  return rows.map((row) => Object.fromEntries(row.map((cell, i) => [names[i], cell.trim()])));
}
const isTable = (text) => /^\|[^\n]*\n\| -/.test(text);

/** The first sentence of a Markdown text, and the rest of it. */
export function firstSentence(text) {
  const [paragraph] = text.split('\n\n');
  const [, first] = /^([\s\S]*?[.!?])(?=\s+[A-Z`'"([]|\s*$)/.exec(paragraph) ?? [null, paragraph];
  return [first, text.slice(first.length).trim()];
}

/** A signature as code: in one line where that is short. */
const asCode = (code) => (oneLine(code).length < 76 && !/[{=]/.test(code) ? `${oneLine(code)};` : code);

/** A signature in one line, without `get`, `readonly` and the semicolon. */
const oneLine = (code) => code.replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/ \)/g, ')').replace(/;$/, '').trim();

/** `{ code, description, parts }` from a block: a signature, what it says, and headed parts (parameters, returns, throws) at `level`. */
function readSignature(text, level) {
  const [[, body], ...parts] = cutAt(text, level);
  const [whole, code = ''] = /^```ts\n([\s\S]*?)\n```\n?/.exec(body) ?? [''];
  return { code: code.trim(), description: body.slice(whole.length).trim(), parts };
}

function readMember(heading, body, kind, isClass) {
  const name = heading.replace(/\(\)|\?|\\/g, '');
  const member = { name, id: slugify(heading), kind, access: '', isOptional: heading.includes('?'), signatures: [] };
  const parts = cutAt(body, 4);
  const of = (title) => parts.filter(([name]) => name === title).map(([, text]) => readSignature(text, 5));
  if (kind === 'accessor') {
    const [get] = of('Get Signature');
    const [set] = of('Set Signature');
    const main = get ?? set;
    member.kind = 'property';
    member.access = !set ? 'read only' : get ? 'read and write' : 'write only';
    member.type = get
      ? oneLine(get.code).replace(/^get [^(]*\(\): /, '')
      : oneLine(set.code).replace(/^set [^(]*\(\w+: ?(.*)\)$/, '$1');
    const description = [...new Set([get, set].filter(Boolean).map(({ description }) => description))].join('\n\n');
    const skipped = /^(Parameters|Type Parameters)$/;
    member.signatures = [{ ...main, description, parts: main.parts.filter(([title]) => !skipped.test(title)) }];
    return member;
  }
  const calls = of('Call Signature');
  // Plain forms first; those of type parameters are for results that the caller hands in.
  const isGeneric = ({ code }) => /^[\w.]+</.test(code);
  calls.sort((a, b) => isGeneric(a) - isGeneric(b));
  member.signatures = calls.length ? calls : [readSignature(body, 4)];
  if (kind === 'property') {
    const code = oneLine(member.signatures[0].code);
    const [, modifiers, type] = /^((?:(?:readonly|static|optional|abstract) )*)[\w"'-]+\??: (.*)$/.exec(code) ?? [
      '',
      '',
      '',
      code,
    ];
    member.type = (type ?? code).replace(/ = .*/, '');
    member.access = modifiers.includes('readonly') ? 'read only' : isClass ? 'read and write' : '';
  }
  return member;
}

/** A property from a row of a table. */
function readRow(row) {
  const cell = row.property ?? row.name;
  const [, id] = /<a id="([^"]*)"><\/a>/.exec(cell) ?? [];
  const title = cell
    .replace(/<a id="[^"]*"><\/a>/, '')
    .replace(/[`\\]/g, '')
    .trim();
  const description = (row.description ?? '').replace(/^-$/, '');
  return {
    name: title.replace(/\?$|\(\)$/g, ''),
    id: id ?? slugify(title),
    kind: 'property',
    isOptional: title.endsWith('?'),
    access: /readonly/.test(row.modifier ?? '') ? 'read only' : '',
    markdownType: row.type.replace(/^\\\| /, ''),
    signatures: [
      {
        code: '',
        description,
        parts: row['default value'] && row['default value'] !== 'undefined' ? [['Default', row['default value']]] : [],
      },
    ],
  };
}

/** Reads a page: `{ title, intro, sections: [title, text][], members }`. `intro` is what stands before the first section. */
export function readPage(source, kind) {
  const text = source.replaceAll('__namedParameters', 'params');
  const [[, head], ...sections] = cutAt(text, 2);
  const [, title, intro] = /^# ([^\n]*)\n?([\s\S]*)$/.exec(head);
  const members = [];
  const others = [];
  for (const [name, body] of sections) {
    if (!SECTIONS[name] || (name === 'Type Declaration' && !isTable(body))) others.push([name, body]);
    else if (isTable(body)) {
      const rows = readTable(body).map((row) => ({ ...readRow(row), section: 'Properties' }));
      // React has it for its tools.
      members.push(...rows.filter(({ name }) => name !== 'displayName'));
    } else {
      const single = { Constructors: 'constructor', Properties: 'property', Accessors: 'accessor', Methods: 'method' }[name];
      for (const [heading, block] of cutAt(body, 3).slice(1)) {
        members.push({ ...readMember(heading, block, single, kind === 'class'), section: SECTIONS[name] });
      }
    }
  }
  return { title, intro: intro.trim(), sections: others, members };
}

/**
 * Calls that a class has as properties `(...args) => R`, since their types are computed, become methods with named parameters.
 * `describe(name)`: what such a call does.
 */
export function withCalls(members, describe) {
  return members.map((member) => {
    const [, result] = /^\(\.\.\.args\) => (.*)$/.exec(member.type ?? '') ?? [];
    if (!result) return member;
    const [{ description, parts }] = member.signatures;
    const table = parts.find(([title]) => title === 'Parameters')?.[1] ?? '';
    const [, tuple] = /^\| \.\.\.`args` \| \\\[(.*)\\\] \|$/m.exec(table) ?? [null, ''];
    const rows = [...tuple.matchAll(/`(\w+\??)`: (.*?)(?=, `\w+\??`: |$)/g)];
    const code = `${member.name}(${rows.map(([, name]) => name).join(', ')}): ${result};`;
    const lines = rows.map(([, name, type]) => `| \`${name}\` | ${type} |`).join('\n');
    const named = rows.length ? [['Parameters', `| Parameter | Type |\n| ------ | ------ |\n${lines}`]] : [];
    const others = parts.filter(([title]) => title !== 'Parameters');
    return {
      ...member,
      kind: 'method',
      access: '',
      signatures: [{ code, description: description || describe(member.name), parts: [...named, ...others] }],
    };
  });
}

/** Members by group, `{ id, title, task, members }`: by lists of names (NAMES, groupsOf), the rest as the page has them. */
export function groupMembers(members, lists = []) {
  const groups = [];
  const rest = [...members];
  for (const { task = null, title = task.title, members: names } of lists) {
    const taken = [];
    for (const name of names) {
      const at = rest.findIndex((member) => member.name === name);
      if (at >= 0) taken.push(...rest.splice(at, 1));
    }
    const id = task ? `task-${task.id}` : `all-${slugify(title)}`;
    if (taken.length) groups.push({ id, title, task, members: taken });
  }
  const own = (section) => ({
    id: `all-${slugify(section)}`,
    title: section,
    task: null,
    members: rest.filter((member) => member.section === section).sort((a, b) => a.name.localeCompare(b.name, 'en')),
  });
  const [create, properties, methods] = ['Create', 'Properties', 'Methods'].map(own);
  // A class that adds to the calls of World begins with its own.
  const isWorld = groups.some(({ task }) => task);
  return [create, properties, ...(isWorld ? [methods, ...groups] : [...groups, methods])].filter(({ members }) => members.length);
}

// Markdown.

/** Sections that say nothing: what a call of no result returns. */
const isEmpty = ([title, text]) => (title === 'Returns' && /^`(void|this)`$/.test(text)) || !text;

function signatureText({ code, description, parts }, depth) {
  const mark = '#'.repeat(depth);
  const texts = parts.filter((part) => !isEmpty(part)).map(([title, text]) => `${mark} ${title}\n\n${text}`);
  return [code && `\`\`\`ts\n${code}\n\`\`\``, description, ...texts].filter(Boolean).join('\n\n');
}

function memberText(member) {
  const head = `### ${member.name}${member.kind === 'method' ? '()' : ''}`;
  if (member.kind !== 'property') return [head, ...member.signatures.map((one) => signatureText(one, 4))].join('\n\n');
  const [{ description, parts }] = member.signatures;
  const modifier = member.access === 'read only' ? 'readonly ' : '';
  const type = member.type
    ? `\`\`\`ts\n${modifier}${member.name}${member.isOptional ? '?' : ''}: ${member.type};\n\`\`\``
    : member.markdownType;
  return [head, type, signatureText({ code: '', description, parts: parts.filter(([title]) => title !== 'Returns') }, 4)]
    .filter(Boolean)
    .join('\n\n');
}

function rowsText(members) {
  const rows = members.map(({ name, isOptional, access, markdownType, signatures: [{ description, parts }] }) => {
    const preset = parts.find(([title]) => title === 'Default');
    const about = [access === 'read only' ? 'Read only.' : '', description, preset ? `Default ${preset[1]}.` : '']
      .filter(Boolean)
      .join(' ');
    return `| \`${name}${isOptional ? '?' : ''}\` | ${markdownType} | ${about || '-'} |`;
  });
  return `| Property | Type | Description |\n| ------ | ------ | ------ |\n${rows.join('\n')}`;
}

/** The page as Markdown, nothing folded. `example`: `{ code, lang }`. */
export function pageText({ title, intro, sections, groups, example, exampleOf }) {
  const fence = (made) => made && `\`\`\`${made.lang}\n${made.code.trimEnd()}\n\`\`\``;
  const parts = [`# ${title}`, intro, fence(example)];
  for (const group of groups) {
    parts.push(`## ${group.title}`, group.task?.about, group.task && fence(exampleOf(group)));
    if (group.isElsewhere) {
      parts.splice(-2);
      continue;
    }
    const rows = group.members.filter(({ markdownType }) => markdownType);
    if (rows.length) parts.push(rowsText(rows));
    parts.push(...group.members.filter(({ markdownType }) => !markdownType).map(memberText));
  }
  for (const [name, text] of sections) if (!isEmpty([name, text])) parts.push(`## ${name}\n\n${text}`);
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

// HTML.

/** A long name may break where a word in it begins. */
export const breakable = (name) => encode(name).replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=_)(?=[A-Z])/g, '<wbr>');

/** Long code in a text may break after a dot, a bracket, a comma or an underscore. Takes HTML. */
export const softened = (html) =>
  html.replace(/(?:[\w.,(<[]|&lt;){24,}/g, (long) => long.replace(/(?:[.,(_[]|&lt;)(?=.)/g, '$&<wbr>'));

const block = (text, link) =>
  text
    ? render(text, { html: true, link }).html.replace(/<code>([^<]{24,})<\/code>/g, (_, code) => `<code>${softened(code)}</code>`)
    : '';
const inline = (text, link) =>
  block(text, link)
    .replace(/^<p>|<\/p>\s*$/g, '')
    .replace(/<\/p>\s*<p>/g, '<br>');

const typeHtml = (text, link) =>
  `<span class="type">${inline(withoutDefaults(text).replace(/^\\\| /, ''), link).replace(/&lt;/g, '&lt;<wbr>')}</span>`;

/** A type in Markdown without the type arguments that three.js fills in by itself. */
function withoutDefaults(text) {
  const start = text.search(/\\<`?(?:NormalBuffer|BufferGeometry\b|\w+EventMap)/);
  if (start < 0) return text;
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(/\\[<>]/g)) {
    if (index < start) continue;
    depth += sign === '\\<' ? 1 : -1;
    if (depth === 0) return withoutDefaults(text.slice(0, start) + text.slice(index + 2));
  }
  return text;
}

/** Parameters, result and errors as a list of terms. */
function partsHtml(parts, link) {
  const rows = [];
  const rest = [];
  for (const part of parts) {
    const [title, text] = part;
    if (isEmpty(part)) continue;
    if (title === 'Parameters' && isTable(text)) {
      for (const row of readTable(text)) {
        const about = row.description && row.description !== '-' ? ` ${inline(row.description, link)}` : '';
        const preset =
          row['default value'] && row['default value'] !== 'undefined' ? ` Default ${inline(row['default value'], link)}.` : '';
        rows.push(`<dt>${inline(row.parameter, link)}</dt><dd>${typeHtml(row.type, link)}${about}${preset}</dd>`);
      }
    } else if (title === 'Returns') {
      const [type, ...about] = text.split('\n\n');
      rows.push(`<dt>returns</dt><dd>${typeHtml(type, link)} ${inline(about.join('\n\n'), link)}</dd>`);
    } else if (/^(Throws|Default|Default Value)$/.test(title)) {
      rows.push(`<dt>${title.toLowerCase()}</dt><dd>${block(text, link).replace(/^<p>([\s\S]*?)<\/p>\s*$/, '$1')}</dd>`);
    } else rest.push(`<h4>${encode(title)}</h4>${block(text, link)}`);
  }
  return `${rows.length ? `<dl class="terms">${rows.join('')}</dl>` : ''}${rest.join('')}`;
}

const plain = (html) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');

/** What stands behind the name: parameters and result, or the type. */
function shortSignatures({ kind, name, signatures, type }) {
  if (kind === 'property') return type ? [`: ${type}`] : [];
  const lines = signatures.map(({ code }) =>
    kind === 'constructor' ? oneLine(code).replace(/^new \w+(<.*?>)?|: [^:]*$/g, '') : oneLine(code).replace(name, ''),
  );
  return [...new Set(lines)];
}

/** A type with links to the types in it that have a page. */
const linkTypes = (type, typeUrl) =>
  type
    .split(/\b([A-Z]\w+)\b/)
    .map((part, i) => (i % 2 && typeUrl(part) ? `<a href="${typeUrl(part)}">${part}</a>` : encode(part)))
    .join('');

/** A member with its texts rewritten. */
export const withTexts = (member, rewrite) => ({
  ...member,
  ...(member.markdownType && { markdownType: rewrite(member.markdownType) }),
  signatures: member.signatures.map((one) => ({
    ...one,
    description: rewrite(one.description),
    parts: one.parts.map(([title, text]) => [title, rewrite(text)]),
  })),
});

function memberHtml(member, { link, typeUrl, isOpen, seen }) {
  const { signatures, kind } = member;
  const [{ description }] = signatures;
  const [first, rest] = member.markdownType ? [description, ''] : firstSentence(description);
  const texts = new Set([description]);
  const mores = signatures.map(({ code, description: own, parts }, i) => {
    // Calls of several forms show each with its parameters; what all say stands once, errors with the last.
    const head = signatures.length > 1 ? highlight(asCode(code), 'ts') : '';
    const about = i && !texts.has(own) ? texts.add(own) && block(own, link) : '';
    const isSaid = ([title, text]) =>
      (title === 'Returns' && kind !== 'method') ||
      (title === 'Throws' &&
        signatures.slice(i + 1).some(({ parts }) => parts.some((other) => other[0] === title && other[1] === text)));
    return (
      head +
      about +
      partsHtml(
        parts.filter((part) => !isSaid(part)),
        link,
      )
    );
  });
  // What folds has no links in its head.
  const types = kind === 'property' && member.type ? linkTypes(member.type, typeUrl) : '';
  const hasMore = rest || mores.join('');
  const linked =
    hasMore && types.includes('<a') ? `<dl class="terms"><dt>type</dt><dd><span class="type">${types}</span></dd></dl>` : '';
  const more = block(rest, link) + linked + mores.join('');
  const id = seen.has(member.id) ? `${kind}-${member.id}` : member.id;
  seen.add(id);
  const code = shortSignatures(member).map(
    (line) => `<code class="signature">${!more && types ? `: ${types}` : encode(line)}</code>`,
  );
  const type = member.markdownType ? `<span class="signature">${inline(member.markdownType, link)}</span>` : code.join('');
  const access = member.access ? ` <small>${member.access}</small>` : '';
  const title = `${breakable(kind === 'constructor' ? (signatures[0].code.match(/new (\w+)/)?.[1] ?? 'Constructor') : member.name)}${member.isOptional ? '?' : ''}`;
  const name = kind === 'constructor' ? `new ${title}` : title;
  const isFolded = more && !member.markdownType;
  const sentence = first ? `<span class="first">${inline(first, isFolded ? () => null : link)}</span>` : '';
  const head = `<h3 id="${id}">${name}</h3>${type}${access}${sentence}`;
  const body = isFolded
    ? `<details${isOpen ? ' open' : ''}><summary>${head}</summary><div class="more">${more}</div></details>`
    : `${head}${more && `<div class="more">${more}</div>`}`;
  return {
    html: `<div class="member">${body}<a class="anchor" href="#${id}" aria-label="Link to ${encode(member.name)}">#</a></div>`,
    entry: { id, title: kind === 'constructor' ? `new ${plain(title)}` : member.name },
    section: { id, title: member.name, isField: kind === 'property', text: plain(block(description, () => null)) },
  };
}

/**
 * HTML of the page below its title; `entries` of the list of what is on it, `sections` for the search. `link` rewrites addresses, `guided`
 * texts.
 */
export function pageHtml({ intro, sections, groups, example, exampleOf, linkOf, typesOf, typeUrl }, link, guided) {
  const seen = new Set();
  const entries = [];
  const found = [];
  const made = render(guided(intro), { html: true, link });
  found.push(...made.sections);
  let html = block(guided(intro), link) + (example ? highlight(example.code, example.lang) : '');
  const isTerms = ([name]) => /^(Parameters|Returns|Throws)$/.test(name);
  html += partsHtml(
    sections.filter(isTerms).map(([name, text]) => [name, guided(text)]),
    link,
  );
  const count = groups.reduce((sum, { members }) => sum + members.length, 0);
  const isOpen = count <= MOST_OPEN;
  const isTasks = groups.some(({ task }) => task);
  if (!isOpen && groups.length > 1) {
    const jumps = groups.map(({ id, title }) => `<a href="#${id}">${title}</a>`).join(' ');
    html += `<nav class="jump" aria-label="Groups">${jumps}</nav>`;
  }
  if (groups.some(({ members }) => members.some(({ markdownType }) => !markdownType)) && !isOpen)
    html += '<p class="unfold"><button type="button" data-unfold>Unfold all</button></p>';
  for (const group of groups) {
    const list = [];
    const rows = group.members.map((member) => {
      const { html, entry, section } = memberHtml(withTexts(member, guided), { link, typeUrl, isOpen, seen });
      list.push(entry);
      if (!group.isElsewhere) found.push(section);
      return html;
    });
    html += `<section class="members"><h2 id="${group.id}">${group.title}</h2>`;
    if (group.task) {
      html += `<p>${group.task.about} Guide: ${linkOf(group)}.</p>`;
      const shown = exampleOf(group);
      if (shown) html += highlight(shown.code, shown.lang);
    }
    html += rows.join('');
    if (group.task && isTasks) html += typesOf(group);
    html += '</section>';
    entries.push({ id: group.id, title: group.title, list });
  }
  for (const [name, text] of sections.filter((section) => !isTerms(section))) {
    if (isEmpty([name, text])) continue;
    const id = `all-${slugify(name)}`;
    html += `<h2 id="${id}">${name}</h2>${block(guided(text), link)}`;
    entries.push({ id, title: name, list: [] });
  }
  return { html, entries, sections: found };
}
