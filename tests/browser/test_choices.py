"""Every choice of every quiz and prediction can be read and clicked where an output is only 640 px wide."""
from . import lab

SHOW = """from tokenlab import course
from tokenlab.course import lessons
for number in lessons.numbers():
    display(course.quiz(number))
for id in lessons.everything("PREDICTIONS"):
    if lessons.find(id, "PREDICTIONS", "prediction")[1].choices:
        display(course.predict(id))"""
HIDDEN = """() => [...document.querySelectorAll('.jp-OutputArea-child input[type=radio]')].filter(input => {
    const label = input.closest('label'), {x, y, width, height} = input.getBoundingClientRect()
    const range = document.createRange(), out = label.getBoundingClientRect()
    range.selectNodeContents(label)
    const words = range.getBoundingClientRect()
    return !width || document.elementFromPoint(x + width / 2, y + height / 2) !== input || y < out.top || y + height > out.top + 24
        || words.bottom > out.bottom + 1 || words.right > label.closest('.jp-OutputArea-child').getBoundingClientRect().right + 1
}).map(input => input.closest('label').innerText)"""
OVERLAPPING = """() => [...document.querySelectorAll('.widget-radio-box')].flatMap(box => {
    const boxes = [...box.querySelectorAll('label')].map(label => label.getBoundingClientRect())
    return boxes.slice(1).filter((each, n) => each.top < boxes[n].bottom - 1)
}).length"""


def test_no_choice_covers_another_where_the_page_is_narrow(server, page):
    notebook = lab.Notebook(page, server, "notebooks/00_start_here.ipynb")
    notebook.run("course.environment()", SHOW)
    page.add_style_tag(content=".jp-OutputArea-child {width: 640px !important}")
    page.wait_for_function("() => document.querySelectorAll('.tokenlab-prediction').length > 2", timeout=120_000)
    size = page.viewport_size
    height = page.evaluate("() => document.querySelector('.jp-WindowedPanel-outer').scrollHeight")
    page.set_viewport_size({"width": size["width"], "height": height + 500})     # all in one window, so that each can be pointed at
    page.wait_for_timeout(500)
    assert page.locator("input[type=radio]").count() > 80
    assert page.evaluate(HIDDEN) == []
    assert page.evaluate(OVERLAPPING) == 0
    page.set_viewport_size(size)
    assert not page.problems, page.problems
