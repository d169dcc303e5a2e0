package tidepool.bench.race;

import static tidepool.bench.race.RaceTable.format;

import java.util.ArrayList;
import java.util.List;

/** A line chart with axes, as SVG inside a page. */
final class Chart {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 320;
    private static final int LEFT = 80;
    private static final int RIGHT = 20;
    private static final int TOP = 36;
    private static final int BOTTOM = 44;

    /** Colours that colour-blind readers can distinguish (Okabe and Ito). */
    private static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999");

    private record Line(String name, List<double[]> points) {}

    private final String xName;
    private final String yName;
    private final List<Line> lines = new ArrayList<>();
    private final List<String> xLabels = new ArrayList<>();
    private boolean logarithmicY;

    Chart(String xName, String yName) {
        this.xName = xName;
        this.yName = yName;
    }

    Chart logarithmicY() {
        logarithmicY = true;
        return this;
    }

    /** Sets the label of the next whole number of the x axis, from 0. Without labels the axis shows numbers. */
    void xLabel(String label) {
        xLabels.add(label);
    }

    /** @param points x and y of each, from left to right */
    void line(String name, List<double[]> points) {
        lines.add(new Line(name, points));
    }

    String svg() {
        double maxX = xLabels.isEmpty() ? max(0) : xLabels.size() - 1;
        double minY = logarithmicY ? Math.floor(Math.log10(Math.max(1e-3, min(1)))) : 0;
        double maxY = logarithmicY ? Math.ceil(Math.log10(Math.max(1e-2, max(1)))) : nice(max(1));
        if (maxX <= 0) maxX = 1;
        if (maxY <= minY) maxY = minY + 1;
        StringBuilder svg = new StringBuilder(format("<svg viewBox=\"0 0 %d %d\" role=\"img\">\n", WIDTH, HEIGHT));
        axes(svg, maxX, minY, maxY);
        for (int i = 0; i < lines.size(); i++) {
            String colour = COLOURS.get(i % COLOURS.size());
            StringBuilder path = new StringBuilder();
            for (double[] point : lines.get(i).points()) {
                double y = logarithmicY ? Math.log10(Math.max(1e-3, point[1])) : point[1];
                path.append(format("%.1f,%.1f ", x(point[0], maxX), y(y, minY, maxY)));
            }
            svg.append(format(
                    "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" points=\"%s\"/>\n",
                    colour, path.toString().strip()));
            int at = LEFT + 10 + i % 5 * 180;
            int row = 14 + i / 5 * 15;
            svg.append(format(
                    "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/><text x=\"%d\""
                            + " y=\"%d\">%s</text>\n",
                    at,
                    row - 5,
                    colour,
                    at + 20,
                    row,
                    RaceHtml.text(lines.get(i).name())));
        }
        return svg.append("</svg>\n").toString();
    }

    private void axes(StringBuilder svg, double maxX, double minY, double maxY) {
        int steps = logarithmicY ? (int) Math.round(maxY - minY) : 5;
        for (int i = 0; i <= steps; i++) {
            double value = minY + (maxY - minY) * i / steps;
            double at = y(value, minY, maxY);
            svg.append(format(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>",
                    LEFT, WIDTH - RIGHT, at, at));
            String label = logarithmicY ? decimal(Math.pow(10, value)) : format("%,.0f", value);
            svg.append(format("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 8, at + 4, label));
        }
        int columns = xLabels.isEmpty() ? 10 : xLabels.size() - 1;
        for (int i = 0; i <= columns; i++) {
            double value = maxX * i / columns;
            String label = xLabels.isEmpty() ? format(maxX < 20 ? "%.1f" : "%.0f", value) : xLabels.get(i);
            svg.append(format(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                    x(value, maxX), HEIGHT - BOTTOM + 18, RaceHtml.text(label)));
        }
        svg.append(format(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, RaceHtml.text(xName)));
        svg.append(format("<text x=\"4\" y=\"%d\">%s</text>\n", TOP - 6, RaceHtml.text(yName)));
    }

    private static String decimal(double value) {
        return value >= 1 ? format("%,.0f", value) : format("%.3f", value).replaceAll("0+$", "");
    }

    private static double x(double value, double max) {
        return LEFT + (WIDTH - LEFT - RIGHT) * value / max;
    }

    private static double y(double value, double min, double max) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - min) / (max - min);
    }

    private double max(int which) {
        double max = 0;
        for (Line line : lines) for (double[] point : line.points()) max = Math.max(max, point[which]);
        return max;
    }

    private double min(int which) {
        double min = Double.MAX_VALUE;
        for (Line line : lines) for (double[] point : line.points()) min = Math.min(min, point[which]);
        return min;
    }

    /** Returns the next larger number with one or two digits, so that five steps are whole. */
    private static double nice(double value) {
        double unit = Math.pow(10, Math.floor(Math.log10(Math.max(1, value))));
        for (double step : new double[] {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10})
            if (step * unit >= value) return step * unit;
        return 10 * unit;
    }
}
