import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Item } from './items.js';

/** So much is made beyond what is seen, so that scrolling does not run into blank space. */
const AHEAD = 800;

/** Only what is in sight, and some around it, is in the document; the rest is room. */
export function VirtualList(props: {
  readonly items: readonly Item[];
  readonly wanted: { readonly key: string; readonly times: number } | null;
  readonly children: (item: Item) => ReactNode;
}) {
  const { items, wanted } = props;
  const element = useRef<HTMLDivElement>(null);
  const tops = useMemo(() => topsOf(items), [items]);
  const [top, height] = useScroll(element);
  useAnchor(element, items, tops);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new wish moves the list, not new items.
  useEffect(() => {
    const index = wanted === null ? -1 : items.findIndex(({ key }) => key === wanted.key);
    if (index >= 0) reveal(element.current, tops[index]!, items[index]!.height);
  }, [wanted]);
  const first = indexAt(tops, top - AHEAD);
  const end = indexAt(tops, top + height + AHEAD) + 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
    <section className="scroll" ref={element} aria-label="Changes" tabIndex={0}>
      <div className="room" style={{ height: tops[items.length]! }}>
        {items.slice(first, end).map((item, index) => (
          <div key={item.key} className="item" style={{ top: tops[first + index]!, height: item.height }}>
            {props.children(item)}
          </div>
        ))}
      </div>
    </section>
  );
}

function topsOf(items: readonly Item[]): Float64Array {
  const tops = new Float64Array(items.length + 1);
  for (const [index, { height }] of items.entries()) tops[index + 1] = tops[index]! + height;
  return tops;
}

/** The last item that begins at or before this. */
function indexAt(tops: Float64Array, y: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tops[middle]! <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

function useScroll(element: RefObject<HTMLDivElement | null>): readonly [top: number, height: number] {
  const [seen, setSeen] = useState<readonly [number, number]>([0, 900]);
  useLayoutEffect(() => {
    const scroll = element.current;
    if (scroll === null) return;
    const look = () => setSeen([scroll.scrollTop, scroll.clientHeight]);
    const resized = new ResizeObserver(look);
    resized.observe(scroll);
    scroll.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      resized.disconnect();
      scroll.removeEventListener('scroll', look);
    };
  }, [element]);
  return seen;
}

/** What is at the top of the screen stays there when something above it gets another height. */
function useAnchor(element: RefObject<HTMLDivElement | null>, items: readonly Item[], tops: Float64Array): void {
  const before = useRef<{ readonly items: readonly Item[]; readonly tops: Float64Array } | null>(null);
  useLayoutEffect(() => {
    const scroll = element.current;
    const last = before.current;
    before.current = { items, tops };
    if (scroll === null || last === null || last.items === items || scroll.scrollTop === 0) return;
    const index = indexAt(last.tops, scroll.scrollTop);
    const key = last.items[index]?.key;
    const now = items.findIndex((item) => item.key === key);
    if (now >= 0) scroll.scrollTop += tops[now]! - last.tops[index]!;
  }, [element, items, tops]);
}

function reveal(scroll: HTMLElement | null, top: number, height: number): void {
  if (scroll === null) return;
  const isSeen = top >= scroll.scrollTop + 40 && top + height + 160 <= scroll.scrollTop + scroll.clientHeight;
  if (!isSeen) scroll.scrollTop = Math.max(0, top - 120);
}
