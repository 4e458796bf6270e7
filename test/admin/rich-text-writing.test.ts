import { describe, expect, it } from '@jest/globals';
import { kept, titleIn, useEditorScene } from '../support/editor-desk.js';
import { focused, isFocused } from '../support/element-state.js';
import { reach } from '../support/keyboard.js';
import { hasBrowser } from '../support/optional-servers.js';
import { bodyOf, doc, node, paragraph, paste, text, tidy } from '../support/rich-text-desk.js';
import { waitFor } from '../support/wait-for.js';

const linked = (href: string) => ({ type: 'link', attrs: { href } });

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Rich text by keyboard (needs /usr/bin/chromium or CHROMIUM)', () => {
  const scene = useEditorScene();

  it('has a toolbar that is one stop of Tab, and raises and lowers text', async () => {
    const { article, open, stored } = scene();
    const { id } = await article({ title: 'Tools', body: doc(paragraph(text('H2O'))) });
    const desk = await open(id);
    const { page, button } = desk;
    const toolbar = page.getByRole('toolbar', { name: 'Formatting of Body', exact: true });
    await reach(page, toolbar.getByRole('combobox', { name: 'Style', exact: true }));
    await page.keyboard.press('ArrowRight');
    await focused(button('Bold'));
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await focused(toolbar.getByRole('combobox'));
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await focused(bodyOf(desk));
    await page.keyboard.press('Shift+Tab');
    await focused(button('Bold'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    // What is selected arrives in the editor with a later event.
    await waitFor('text is selected', () => button('Link').isEnabled());
    await page.keyboard.press('Control+,');
    await page.getByRole('button', { name: 'Subscript', exact: true, pressed: true }).waitFor();
    await page.keyboard.press('Alt+F10');
    await focused(button('Bold'));
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
    await focused(button('Superscript'));
    await page.keyboard.press('Enter');
    await focused(bodyOf(desk));
    await page.getByRole('button', { name: 'Subscript', exact: true, pressed: false }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await kept(desk);
    expect(tidy((await stored(id)).fields.body)).toEqual(
      doc(paragraph(text('H'), text('2', { type: 'superscript' }), text('O'))),
    );
  });

  it('moves list items by Tab, and leaves the text by Escape and Tab', async () => {
    const { article, open, stored } = scene();
    const item = (...content: object[]) => node('list_item', ...content);
    const one = item(paragraph(text('One')));
    const two = item(paragraph(text('Two')));
    const { id } = await article({ title: 'Lists', body: doc(node('bullet_list', one, two)) });
    const desk = await open(id);
    const { page } = desk;
    await bodyOf(desk).getByText('Two', { exact: true }).click();
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Three');
    await page.keyboard.press('Shift+Tab');
    await bodyOf(desk).getByText('Three', { exact: true }).waitFor();
    await kept(desk);
    expect(tidy((await stored(id)).fields.body)).toEqual(
      doc(
        node(
          'bullet_list',
          item(paragraph(text('One')), node('bullet_list', two)),
          item(paragraph(text('Three'))),
        ),
      ),
    );
    await bodyOf(desk).getByText('Three', { exact: true }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await isFocused(bodyOf(desk))).toBe(false);
    expect(await bodyOf(desk).locator('ul ul ').count()).toBe(1);
  });

  it('links by Enter, completes addresses, and returns to the text', async () => {
    const { article, open, stored } = scene();
    const { id } = await article({ title: 'Links', body: doc(paragraph(text('one two'))) });
    const desk = await open(id);
    const { page, button } = desk;
    const address = page.getByRole('textbox', { name: 'Address of the link', exact: true });
    await bodyOf(desk).getByText('one two', { exact: true }).click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+Shift+ArrowRight');
    await button('Link').click();
    await page.keyboard.type('example.com/a');
    await page.getByText('The link goes to https://example.com/a.', { exact: true }).waitFor();
    expect(await desk.findings()).toEqual([]);
    await page.keyboard.press('Enter');
    await address.waitFor({ state: 'detached' });
    await focused(bodyOf(desk));
    await page.keyboard.type('!');
    await page.keyboard.press('End');
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await waitFor('text is selected', () => button('Link').isEnabled());
    await paste(desk, { 'text/plain': 'https://example.com/b' });
    await page.keyboard.press('ArrowLeft');
    await button('Link').click();
    expect(await address.inputValue()).toBe('https://example.com/b');
    await page.keyboard.press('Escape');
    await address.waitFor({ state: 'detached' });
    await focused(bodyOf(desk));
    await button('Link').click();
    await address.fill('ada@example.com');
    await page.keyboard.press('Enter');
    await kept(desk);
    expect(tidy((await stored(id)).fields.body)).toEqual(
      doc(
        paragraph(
          text('one', linked('https://example.com/a')),
          text('! '),
          text('two', linked('mailto:ada@example.com')),
        ),
      ),
    );
    expect(desk.errors).toEqual([]);
  });

  it('undoes in the field that has the focus, and in no other', async () => {
    const { article, open } = scene();
    const { id } = await article({ title: 'Undo', body: doc(paragraph(text('Body'))) });
    const desk = await open(id);
    const { page } = desk;
    await titleIn(desk).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' title');
    await bodyOf(desk).getByText('Body', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' text');
    await titleIn(desk).click();
    await page.keyboard.press('Control+z');
    // Chrome decides how much is one step.
    const isShorter = async (): Promise<boolean> =>
      (await titleIn(desk).inputValue()).length < 'Undo title'.length;
    await waitFor('typing in the title is undone', isShorter);
    await focused(titleIn(desk));
    expect(await bodyOf(desk).textContent()).toBe('Body text');
    await bodyOf(desk).click();
    await page.keyboard.press('Control+z');
    expect(await bodyOf(desk).textContent()).toBe('Body');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    expect(await bodyOf(desk).textContent()).toBe('Body');
    await page.keyboard.press('Control+y');
    expect(await bodyOf(desk).textContent()).toBe('Body text');
    // As the menu of the browser does.
    await page.evaluate(
      `document.querySelector('#field-body').dispatchEvent(
        new InputEvent('beforeinput', { inputType: 'historyUndo', bubbles: true, cancelable: true }),
      )`,
    );
    expect(await bodyOf(desk).textContent()).toBe('Body');
    expect(desk.errors).toEqual([]);
  });

  it('writes and changes a table without a pointer', async () => {
    const { article, open, stored } = scene();
    const { id } = await article({ title: 'Table', body: doc(paragraph(text('Before'))) });
    const desk = await open(id);
    const { page, button } = desk;
    const keys = async (...names: string[]): Promise<void> => {
      for (const name of names) await page.keyboard.press(name);
    };
    /** Opens the menu of the table, and moves in it to what is chosen. */
    const choose = async (name: string): Promise<void> => {
      await keys('Alt+F10');
      await reach(page, button('Table'), 'ArrowRight');
      await keys('Enter');
      await reach(page, page.getByRole('menuitem', { name, exact: true }), 'ArrowDown');
      await keys('Enter');
      await focused(bodyOf(desk));
    };
    await bodyOf(desk).getByText('Before', { exact: true }).click();
    await keys('End', 'Enter', 'Alt+F10');
    await reach(page, button('Insert a table'), 'ArrowRight');
    await keys('Enter');
    for (const word of ['Lock', 'Depth', 'Keeper']) {
      await page.keyboard.type(word);
      await keys('Tab');
    }
    await page.keyboard.type('North');
    await keys('Shift+Tab');
    await choose('Delete columns');
    // From the second row; the last one makes a row.
    await keys('Tab', 'Tab', 'Tab', 'Tab');
    await page.keyboard.type('Total');
    await keys('Shift+ArrowRight');
    await choose('Merge cells');
    await choose('Row above');
    await choose('Header column on or off');
    await desk.picture('rich-text-table');
    expect(await desk.findings()).toEqual([]);
    await kept(desk);
    const cell = (type: string, word: string, attrs = { colspan: 1, rowspan: 1 }) => ({
      type,
      attrs,
      content: [word === '' ? { type: 'paragraph' } : paragraph(text(word))],
    });
    const row = (...cells: object[]) => node('tableRow', ...cells);
    const { content } = tidy((await stored(id)).fields.body) as { content: object[] };
    expect(content).toMatchObject([
      paragraph(text('Before')),
      node(
        'table',
        row(cell('tableHeader', 'Lock'), cell('tableHeader', 'Depth')),
        row(cell('tableHeader', 'North'), cell('tableCell', '')),
        row(cell('tableHeader', ''), cell('tableCell', '')),
        row(cell('tableHeader', ''), cell('tableCell', '')),
        row(cell('tableHeader', 'Total', { colspan: 2, rowspan: 1 })),
      ),
    ]);
    await bodyOf(desk).getByText('Total', { exact: true }).click();
    await choose('Split cell');
    await expect(bodyOf(desk).locator('tr').last().locator('th, td').count()).resolves.toBe(2);
    await keys('Escape', 'Tab');
    expect(await isFocused(bodyOf(desk))).toBe(false);
    expect(desk.errors).toEqual([]);
  });
});
