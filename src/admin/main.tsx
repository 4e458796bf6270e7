import './api/zod-settings.js';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/client.js';
import { router } from './router.js';
import './styles/index.css';
import { loadTexts } from './texts/index.js';
import { applyTheme } from './ui/theme.js';

applyTheme();

const place = document.getElementById('app');
if (place === null) throw new Error('The page has no place for the app.');
const app = (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>
);
// Without its texts the app is shown in English.
void loadTexts()
  .catch(() => undefined)
  .then(() => createRoot(place).render(app));
