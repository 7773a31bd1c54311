import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { Sayings } from './frame/says.js';
import { enter } from './link/entrance.js';

enter();
createRoot(document.getElementById('page')!).render(
  <Sayings>
    <App />
  </Sayings>,
);
