"use strict";
(() => {
  const {colours, figures} = JSON.parse(document.getElementById("plots").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  // On a dark page the figures' colours are mixed with white, because the darkest would not show.
  const shade = (number) => {
    const chosen = colours[number % colours.length];
    return dark.matches ? `color-mix(in srgb, ${chosen} 55%, white)` : chosen;
  };
  const mixed = (number) => {
    const probe = document.createElement("span");
    probe.style.color = shade(number);
    document.body.append(probe);
    const [r, g, b] = getComputedStyle(probe).color.match(/[\d.]+/g).map(Number);
    const scale = getComputedStyle(probe).color.startsWith("color(") ? 255 : 1;
    probe.remove();
    return `rgb(${[r, g, b].map((value) => Math.round(value * scale)).join(",")})`;
  };

  const traces = (panel) => {
    const drawn = panel.series.map((series, number) => ({
      type: "scatter",
      name: series.name,
      x: series.x,
      y: series.y,
      text: series.labels || undefined,
      mode: series.line ? "lines" : panel.names_points ? "markers+text" : "markers",
      textposition: "top center",
      cliponaxis: false,
      line: {color: mixed(number), width: 2},
      marker: {color: mixed(number), size: series.x.length > 200 ? 3 : 8, opacity: 0.8},
      hovertemplate: `${series.labels ? "%{text}<br>" : ""}%{x:.4g}, %{y:.4g}`,
    }));
    if (panel.diagonal) {
      const ends = panel.series.flatMap((series) => [...series.x, ...series.y]);
      const line = [Math.min(...ends), Math.max(...ends)];
      drawn.push({
        type: "scatter", x: line, y: line, mode: "lines", hoverinfo: "skip", showlegend: false,
        line: {color: colour("--quiet"), width: 1},
      });
    }
    return drawn;
  };

  const layout = (panel, kept) => {
    const axis = (title, more) => ({
      title: {text: title, standoff: 8}, gridcolor: colour("--line"), zerolinecolor: colour("--line"),
      linecolor: colour("--line"), automargin: true, ...more,
    });
    const across = {xref: "x", yref: "paper", y0: 0, y1: 1};
    const shapes = [];
    if (panel.cross) {
      const line = {color: colour("--quiet"), width: 1};
      shapes.push({...across, type: "line", x0: panel.cross[0], x1: panel.cross[0], line});
      shapes.push({type: "line", xref: "paper", x0: 0, x1: 1, y0: panel.cross[1], y1: panel.cross[1], line});
    }
    if (kept !== undefined) {
      shapes.push({...across, type: "line", x0: kept, x1: kept, line: {color: colour("--bad"), width: 2}});
    }
    return {
      title: panel.title ? {text: panel.title, font: {size: 14}, x: 0.02} : undefined,
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: {color: colour("--ink"), family: "system-ui, sans-serif", size: 12},
      margin: {l: 52, r: 12, t: panel.title ? 36 : 12, b: 48},
      xaxis: axis(panel.x_label, panel.log_x ? {type: "log"} : {}),
      yaxis: axis(panel.y_label),
      legend: {orientation: "h", y: -0.22, font: {size: 11}},
      showlegend: panel.series.length > 1,
      hovermode: "closest",
      shapes,
    };
  };

  const options = {responsive: true, displaylogo: false};
  const panelOf = (element) => figures[element.closest("figure").id][Number(element.dataset.panel)];
  const keptIn = (element) => {
    const block = element.closest(".pruning");
    if (!block) return undefined;
    return panelOf(element).series[0].x[Number(block.querySelector("input").value)];
  };
  const drawAll = () => {
    for (const element of document.querySelectorAll(".plot")) {
      const panel = panelOf(element);
      Plotly.react(element, traces(panel), layout(panel, keptIn(element)), options);
    }
  };
  drawAll();
  dark.addEventListener("change", drawAll);
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });

  for (const block of document.querySelectorAll(".pruning")) {
    const [errors, margins] = block.querySelectorAll(".plot");
    const slider = block.querySelector("input");
    const update = () => {
      const index = Number(slider.value);
      const [errorPanel, marginPanel] = [panelOf(errors), panelOf(margins)];
      const sizes = errorPanel.series[0].x;
      block.querySelector("output").textContent = `${sizes[index]} of ${sizes[sizes.length - 1]} members`;
      const rows = errorPanel.series.map((series, seriesIndex) => {
        const row = document.createElement("tr");
        const cells = [series.name, series.y[index].toFixed(2), marginPanel.series[seriesIndex].y[index].toFixed(3)];
        cells.forEach((text, column) => {
          const cell = document.createElement(column ? "td" : "th");
          cell.textContent = text;
          row.append(cell);
        });
        return row;
      });
      block.querySelector("tbody").replaceChildren(...rows);
      for (const element of [errors, margins]) {
        Plotly.relayout(element, {shapes: layout(panelOf(element), keptIn(element)).shapes});
      }
    };
    slider.addEventListener("input", update);
    update();
  }

  for (const button of document.querySelectorAll("table.sortable th button")) {
    button.addEventListener("click", () => {
      const heading = button.closest("th");
      const column = heading.cellIndex;
      const body = heading.closest("table").tBodies[0];
      const descending = heading.getAttribute("aria-sort") === "ascending";
      const value = (row) => {
        const cell = row.cells[column];
        if (!cell || row.querySelector(".absent")) return null;
        if (cell.dataset.value === undefined) return column ? null : cell.textContent;
        const number = Number(cell.dataset.value);
        return Number.isNaN(number) ? null : number;
      };
      const rows = [...body.rows].sort((a, b) => {
        const [first, second] = [value(a), value(b)];
        if (first === null || second === null) return (first === null) - (second === null);
        const order = typeof first === "string" ? first.localeCompare(second) : first - second;
        return descending ? -order : order;
      });
      for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
      body.append(...rows);
    });
  }
})();
