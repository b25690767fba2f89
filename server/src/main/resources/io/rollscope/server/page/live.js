// The plain live table: which runs there are, what is open since when, where every session is.
// Everything from a trace goes into the page as text, never as markup.

const byId = (id) => document.getElementById(id);
const RUNS_EVERY_MS = 5000;
const MOST_ROWS = 1000;

let stream = null;
let board = null; // the last report, kept up to date by deltas
let rows = new Map(); // session → row
let arrived = 0; // performance.now() of the last report

async function main() {
  await tradeToken();
  byId('run').addEventListener('change', follow);
  byId('scope').addEventListener('change', follow);
  byId('how').textContent = [
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${location.origin}`,
  ].join('\n');
  await refreshRuns();
  setInterval(refreshRuns, RUNS_EVERY_MS);
  setInterval(draw, 1000);
}

// #token=T is traded for a cookie once, and leaves the address bar.
async function tradeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!token) return;
  history.replaceState(null, '', location.pathname + location.search);
  await fetch('/api/v1/login', {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify({token}),
  }).catch(() => {});
}

async function refreshRuns() {
  let runs;
  try {
    const answer = await fetch(`/api/v1/runs?limit=${MOST_ROWS}`);
    show('locked', answer.status === 401);
    if (answer.status === 401) show('board', false);
    if (!answer.ok) return;
    runs = (await answer.json()).runs;
  } catch {
    away('disconnected: the server does not answer');
    return;
  }
  show('empty', runs.length === 0);
  const select = byId('run');
  const chosen = select.value;
  if (runs.map((r) => r.run).join('\n') !== [...select.options].map((o) => o.value).join('\n')) {
    select.replaceChildren(...runs.map((r) => {
      const option = document.createElement('option');
      option.value = r.run;
      return option;
    }));
    if (runs.some((r) => r.run === chosen)) select.value = chosen;
  }
  [...select.options].forEach((option, i) => {
    option.textContent = `${runs[i].run} (${runs[i].state})`;
  });
  if (runs.length > 0 && (!stream || select.value !== chosen)) follow();
}

function follow() {
  stream?.close();
  const run = encodeURIComponent(byId('run').value);
  const scope = byId('scope').value;
  stream = new EventSource(`/api/v1/runs/${run}/live/stream?scope=${scope}&limit=${MOST_ROWS}`);
  stream.addEventListener('snapshot', (event) => {
    board = JSON.parse(event.data);
    rows = new Map(board.rows.map((row) => [row.session, row]));
    took();
  });
  stream.addEventListener('delta', (event) => {
    const delta = JSON.parse(event.data);
    const grown = delta.generated_at_s - board.generated_at_s;
    for (const row of rows.values()) if (row.open_age_s !== null) row.open_age_s += grown;
    for (const session of delta.removed) rows.delete(session);
    for (const row of delta.rows) rows.set(row.session, row);
    board = {...board, ...delta};
    took();
  });
  stream.addEventListener('open', () => { connection('live', false); });
  stream.addEventListener('error', () => {
    away('disconnected: showing the last state, trying again');
    if (stream.readyState === EventSource.CLOSED) stream = null;
  });
}

function took() {
  arrived = performance.now();
  connection('live', false);
  show('board', true);
  draw();
}

function draw() {
  if (!board) return;
  const since = byId('connection').classList.contains('away')
      ? 0 : (performance.now() - arrived) / 1000;
  drawCounts();
  const usual = new Map(board.open_span_summaries.map((s) => [s.stage, s.usual_p95_s]));
  fill('open', board.open_span_summaries.map((s) => ({
    suspect: s.suspect,
    cells: [s.span, s.stage, number(s.open_count), age(s.oldest_age_s + since, s.suspect),
      age(s.p50_age_s + since), age(s.p95_age_s + since), age(s.usual_p95_s),
      s.oldest_session, s.worker],
  })));
  const list = [...rows.values()].map((row) => {
    const usualNow = usual.get(row.stage) ?? row.usual_p95_s;
    const open = row.open_age_s === null ? null : row.open_age_s + since;
    return {row, open, usual: usualNow, over: open !== null && usualNow ? open / usualNow : null};
  });
  list.sort(overdueFirst);
  fill('sessions', list.map(({row, open, usual: u}) => {
    const suspect = row.suspect || (u !== null && u !== undefined && open > 2 * u);
    return {
      suspect,
      cells: [row.session, row.task_name, row.status, row.stage ?? row.latest_stage,
        age(open, suspect), age(u), row.worker, number(row.train_step), number(row.event_count)],
    };
  }));
  byId('shown').textContent = `${rows.size} of ${board.session_summary.total}`;
}

// CONTRACTS §4: age ÷ usual descending (unknown after), then age descending, then id.
function overdueFirst(a, b) {
  return (b.over ?? -1) - (a.over ?? -1) || (b.open ?? -1) - (a.open ?? -1)
      || (a.row.session < b.row.session ? -1 : 1);
}

function drawCounts() {
  byId('counts').replaceChildren(...Object.entries(board.session_summary)
      .filter(([word, count]) => count > 0 || word === 'total')
      .map(([word, count]) => {
        const box = document.createElement('div');
        box.append(element('dt', word), element('dd', String(count)));
        return box;
      }));
}

function fill(id, lines) {
  byId(id).tBodies[0].replaceChildren(...lines.map(({suspect, cells}) => {
    const tr = document.createElement('tr');
    if (suspect) tr.className = 'suspect';
    tr.append(...cells.map((cell) => {
      const numeric = typeof cell === 'object' && cell !== null;
      const td = element('td', numeric ? cell.number : cell ?? '');
      if (numeric) td.className = 'number';
      return td;
    }));
    return tr;
  }));
}

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

const number = (value) => ({number: value === null || value === undefined ? '' : String(value)});

function age(seconds, overdue) {
  if (seconds === null || seconds === undefined) return {number: ''};
  const text = seconds < 60 ? `${seconds.toFixed(1)} s`
      : seconds < 3600 ? `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
      : `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`;
  return {number: overdue ? `overdue ${text}` : text};
}

const show = (id, yes) => { byId(id).hidden = !yes; };
const away = (text) => connection(text, true);

function connection(text, isAway) {
  byId('connection').textContent = text;
  byId('connection').classList.toggle('away', isAway);
}

main();
