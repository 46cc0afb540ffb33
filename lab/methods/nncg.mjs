// Nonsmooth nonlinear conjugate gradients (Silcowitz, Niebe, Erleben 2010): the change of a Gauss-Seidel sweep is the negative gradient of a
// Fletcher-Reeves iteration, which starts again where the gradient grows. The paper leaves the last step out of its bounds, and the next
// sweep brings it back; here each step ends within them, so that every iteration can be the last one.
import { defineSolver } from 'talus/study';

export const conjugateGradient = defineSolver({
  name: 'conjugate-gradient',
  start(rows) {
    const before = new Float64Array(rows.count);
    const direction = new Float64Array(rows.count);
    let lastSquare = 0;
    return {
      begin() {
        direction.fill(0);
        lastSquare = 0;
      },
      iterate() {
        const { z, stages } = rows;
        before.set(z);
        for (const stage of stages) for (const row of stage) rows.solve(row);

        let square = 0;
        for (const stage of stages) for (const row of stage) square += (z[row] - before[row]) ** 2;
        const beta = lastSquare > 0 ? square / lastSquare : 0;
        lastSquare = square;
        if (beta > 1) {
          direction.fill(0);
          return;
        }
        for (const stage of stages) {
          for (const row of stage) {
            const change = z[row] - before[row];
            rows.push(row, rows.bound(row, z[row] + beta * direction[row]) - z[row]);
            direction[row] = beta * direction[row] + change;
          }
        }
      },
    };
  },
});
