/** Arguments for the order, the number and the fields of the results, without punctuation. */
const SHAPING = new Set(
  'limit,perpage,pagesize,pagelimit,size,take,top,first,last,count,maxresults,maxrecords,direction,dir,fields,include,expand,embed,join,select,populate,withcount'.split(
    ',',
  ),
);

/** Arguments for the position in the whole list at which a response starts. */
const POSITION = new Set(
  'page,pagenumber,pageno,pageindex,currentpage,pageoffset,offset,skip,start,startat,startindex,cursor,startcursor,pagecursor,after,pageafter,startafter,startingafter,before,pagebefore,endbefore,endingbefore,pagetoken,nexttoken,continuationtoken'.split(
    ',',
  ),
);

/**
 * Whether an argument of this name usually filters nothing: it sorts (`orderBy`, `sort…`), limits or shapes the
 * response, or sets its start. Case and punctuation do not matter: `per_page`, `perPage`, `_sort`, `page[size]`.
 */
export function isPagingWord(name: string): boolean {
  const word = wordOf(name);
  return isShaping(name, word) || POSITION.has(word);
}

/**
 * Whether an argument excludes nothing from a list: it sorts, limits or shapes the response, or sets its start to
 * that of the whole list. A later page is a part of the list that new members do not belong to.
 *
 * @param value - as text
 */
export function isNoFilter(name: string, value: string): boolean {
  const word = wordOf(name);
  if (isShaping(name, word)) return true;
  if (!POSITION.has(word)) return false;
  const isCount = word.endsWith('offset') || word === 'skip' || word === 'startat';
  return value === '' || value === 'null' || value === '0' || (value === '1' && !isCount);
}

function isShaping(name: string, word: string): boolean {
  // `_end` of json-server limits the response; `end` may be a date.
  if (name === '_end') return true;
  // `fields[articles]` shapes as `fields` does, and `order[title]` as `order`; but `orderId` names an order.
  const base = wordOf(name.split('[', 1)[0] ?? '');
  return /^(?:sort|order($|by|ing|dir|col|field))/.test(base) || SHAPING.has(word) || SHAPING.has(base);
}

/** The letters of a name, without the group that some APIs put around it: `pagination[pageSize]`. */
function wordOf(name: string): string {
  return name.toLowerCase().replace(/^pagination(?=\W)|[^a-z]/g, '');
}
