package tidepool.lab;

import java.util.List;

/**
 * A picture of a figure.
 *
 * @param name of its file
 * @param title above it
 * @param xLabel below it
 * @param yLabel to its left
 * @param lines in it
 */
record Plot(String name, String title, String xLabel, String yLabel, List<Line> lines) {
    /** A line, in the order in which its dots are joined. */
    record Line(String name, List<Dot> dots) {}

    /** A point of a line. */
    record Dot(double x, double y) {}
}
