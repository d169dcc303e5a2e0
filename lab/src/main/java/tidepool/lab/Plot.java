package tidepool.lab;

import java.util.List;

/**
 * A picture of a figure.
 *
 * @param name of its file
 * @param title above it
 * @param xLabel below it
 * @param yLabel beside it
 * @param lines in it
 */
record Plot(String name, String title, String xLabel, String yLabel, List<Line> lines) {
    /** A line of it, in the order in which its dots are joined. */
    record Line(String name, List<Dot> dots) {}

    /** A place in it. */
    record Dot(double x, double y) {}
}
