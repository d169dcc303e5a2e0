package tidepool.lab;

import java.util.Formatter;
import java.util.Locale;

/** Draws a plot as SVG: axes from zero, a line with a mark at each point for every series, a legend. */
final class Svg {
    private static final int WIDTH = 700;
    private static final int HEIGHT = 420;
    private static final int LEFT = 70;
    private static final int RIGHT = 210;
    private static final int TOP = 40;
    private static final int BOTTOM = 50;
    private static final int TICKS = 5;
    private static final String[] COLOURS = {"#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};
    private static final String[] DASHES = {"none", "6 3", "2 2", "8 3 2 3", "none", "6 3"};

    private final Plot plot;
    private final Formatter out = new Formatter(Locale.ROOT);
    private final double xMax;
    private final double yMax;

    private Svg(Plot plot) {
        this.plot = plot;
        double x = 0;
        double y = 0;
        for (Plot.Line line : plot.lines())
            for (Plot.Dot dot : line.dots()) {
                x = Math.max(x, dot.x());
                y = Math.max(y, dot.y());
            }
        xMax = nice(x);
        yMax = nice(y);
    }

    static String draw(Plot plot) {
        return new Svg(plot).draw();
    }

    private String draw() {
        out.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">\n",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
        out.format("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", WIDTH, HEIGHT);
        text((LEFT + WIDTH - RIGHT) / 2.0, 24, "middle", " font-size=\"14\"", plot.title());
        axes();
        for (int i = 0; i < plot.lines().size(); i++) line(i);
        out.format("</svg>\n");
        return out.toString();
    }

    private void axes() {
        for (int i = 0; i <= TICKS; i++) {
            double x = xMax * i / TICKS;
            double y = yMax * i / TICKS;
            out.format(
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
                    LEFT, atY(y), WIDTH - RIGHT, atY(y));
            text(LEFT - 6, atY(y) + 4, "end", "", number(y));
            text(atX(x), HEIGHT - BOTTOM + 18, "middle", "", number(x));
        }
        out.format(
                "<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"black\"/>\n",
                LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
        text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", "", plot.xLabel());
        double middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        text(
                16,
                middle,
                "middle",
                String.format(Locale.ROOT, " transform=\"rotate(-90 16 %.1f)\"", middle),
                plot.yLabel());
    }

    private void line(int number) {
        Plot.Line line = plot.lines().get(number);
        String colour = COLOURS[number % COLOURS.length];
        StringBuilder points = new StringBuilder();
        for (Plot.Dot dot : line.dots())
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", atX(dot.x()), atY(dot.y())));
        out.format(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>\n",
                points.toString().strip(), colour, DASHES[number % DASHES.length]);
        for (Plot.Dot dot : line.dots())
            out.format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", atX(dot.x()), atY(dot.y()), colour);
        int y = TOP + 10 + 20 * number;
        out.format(
                "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\""
                        + " stroke-dasharray=\"%s\"/>\n",
                WIDTH - RIGHT + 12, y, WIDTH - RIGHT + 40, y, colour, DASHES[number % DASHES.length]);
        text(WIDTH - RIGHT + 46, y + 4, "start", "", line.name());
    }

    private double atX(double x) {
        return LEFT + (WIDTH - RIGHT - LEFT) * x / xMax;
    }

    private double atY(double y) {
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * y / yMax;
    }

    private void text(double x, double y, String anchor, String more, String text) {
        out.format(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>\n",
                x, y, anchor, more, text.replace("&", "&amp;").replace("<", "&lt;"));
    }

    /** Returns the smallest of 1, 2, 5, 10, … times a power of ten that is not less. */
    private static double nice(double value) {
        if (value <= 0) return 1;
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double step : new double[] {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10})
            if (step * power >= value) return step * power;
        return 10 * power;
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.3f", value);
        return text.replaceFirst("\\.?0+$", "");
    }
}
